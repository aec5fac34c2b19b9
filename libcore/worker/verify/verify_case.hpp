#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "device/rank_device.hpp"
#include "protocol/verification.hpp"
#include "strategy/strategy.hpp"
#include "worker/verify/check.hpp"
#include "worker/verify/proven_outputs.hpp"

namespace ringside {

// Blocks of this rank's arena, each of the message's size and at the same offsets on every rank. Their
// content is lost.
struct VerifyBuffers {
  std::span<std::byte* const> golden;   // inputs of different calls, of which calls are fed; two at least
  std::byte* input = nullptr;           // what the collective reads
  std::span<std::byte* const> outputs;  // one at least; with fewer than calls, only the last ones are checked
};

// Runs the case in its mode, as the timed calls run, and checks what comes out: a single call, back-to-back
// calls without any synchronisation between them, and a call in place. Before each call its input is copied
// over that of the call before, so that a peer that still reads it gets the wrong data; outputs are poisoned
// first. Collective: every rank makes the same calls whatever it finds. `proven` is asked and added to.
VerifyReply verify_case(RankDevice& device, PreparedCollective& collective, const Case& params,
                        const Numerics& numerics, const VerifyPlan& plan, const VerifyBuffers& buffers,
                        ProvenOutputs& proven);

}  // namespace ringside
