#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "protocol/verification.hpp"
#include "strategy/strategy.hpp"
#include "worker/verify/inputs.hpp"

namespace ringside {

// Where in a run of calls an output was made: for the text, and to recognise data of a neighbouring call.
// `before` and `after` are the InputKey::call of the calls around this one, absent where there is none.
struct CallContext {
  std::uint32_t call = 0;  // as it is named in the Mismatch
  std::optional<std::uint32_t> before{};
  std::optional<std::uint32_t> after{};
};

// Compares one call's output with the sum over `ranks` inputs with that key (key.rank: the rank that holds
// `output`).
// Set A: bitwise. Set B: bitwise with the fp32 sum in rank order, rounded once, where `numerics` declare rank
// order and a single rounding; else against the sum in double: half an ulp plus the fp32 summation bound for
// a single rounding, else the declared number of roundings. NaN exactly where it must be, with any payload;
// the sign of a zero is free.
// Large outputs are compared on up to `threads` threads.
std::optional<Mismatch> check_output(const InputKey& key, int ranks, const Numerics& numerics,
                                     std::span<const std::byte> output, const CallContext& context,
                                     int threads = 1);

// The same for calls that are numbered by their inputs.
std::optional<Mismatch> check_output(const InputKey& key, int ranks, const Numerics& numerics,
                                     std::span<const std::byte> output);

// Gives all NaN of a buffer of set B the same bits. Which of several NaN an addition hands on may depend on
// how a compiler arranged its operands, so ranks are compared without payloads.
void canonicalize_nan(DType dtype, std::span<std::byte> buffer);

// What outputs are filled with before a call: a pattern that no result of set A has.
inline constexpr std::byte kPoison{0xCB};

}  // namespace ringside
