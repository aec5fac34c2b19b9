#include "measure/verify/check_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "measure/verify/element.hpp"

namespace ringside {
namespace {

double value_at(DType dtype, std::span<const std::byte> buffer, std::size_t element) {
  return with_element(dtype, [&]<typename Element>() -> double {
    Element value;
    std::memcpy(&value, buffer.data() + element * sizeof(Element), sizeof value);
    return to_float(value);
  });
}

}  // namespace

std::size_t received_bytes(const Case& params, int rank) {
  if (params.collective == Collective::allreduce) return params.count() * element_size(params.dtype);
  const std::vector<std::size_t> borders = part_borders(params);
  const auto mine = static_cast<std::size_t>(rank);
  return (borders[mine + 1] - borders[mine]) * static_cast<std::size_t>(params.ranks) *
         element_size(params.dtype);
}

std::optional<Mismatch> check_parts(const InputKey& key, const Case& params,
                                    std::span<const std::byte> output, const CallContext& context) {
  const std::size_t size = element_size(params.dtype);
  const std::vector<std::size_t> borders = part_borders(params);
  const auto mine = static_cast<std::size_t>(key.rank);
  const std::size_t count = borders[mine + 1] - borders[mine];
  std::vector<std::byte> expected(count * size);
  for (int sender = 0; sender < params.ranks; ++sender) {
    InputKey theirs = key;
    theirs.rank = sender;
    fill_input(theirs, borders[mine], expected);
    const auto got = output.subspan(static_cast<std::size_t>(sender) * count * size, count * size);
    const auto wrong = std::ranges::mismatch(expected, got);
    if (wrong.in1 == expected.end()) continue;
    Mismatch mismatch;
    mismatch.call = context.call;
    mismatch.rank = key.rank;
    const std::size_t in_part = static_cast<std::size_t>(wrong.in1 - expected.begin()) / size;
    mismatch.element = static_cast<std::size_t>(sender) * count + in_part;
    mismatch.got = value_at(params.dtype, got, in_part);
    mismatch.expected = value_at(params.dtype, expected, in_part);
    const bool poisoned = std::all_of(got.begin() + static_cast<std::ptrdiff_t>(in_part * size),
                                      got.begin() + static_cast<std::ptrdiff_t>((in_part + 1) * size),
                                      [](std::byte byte) { return byte == kPoison; });
    mismatch.text =
        fmt::format("call {}, rank {}, element {} of the part from rank {}: got {}, expected {}{}",
                    mismatch.call, mismatch.rank, in_part, sender, mismatch.got, mismatch.expected,
                    poisoned ? ", as if it had never been written" : "");
    return mismatch;
  }
  return std::nullopt;
}

}  // namespace ringside
