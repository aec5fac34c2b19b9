#include "worker/verify/check_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "worker/verify/element.hpp"

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
  constexpr std::size_t kPiece = 16 * 1024;  // elements that are made and compared at once
  const std::size_t size = element_size(params.dtype);
  const std::vector<std::size_t> borders = part_borders(params);
  const auto mine = static_cast<std::size_t>(key.rank);
  const std::size_t count = borders[mine + 1] - borders[mine];
  std::vector<std::byte> piece(std::min(count, kPiece) * size);
  for (int sender = 0; sender < params.ranks; ++sender) {
    InputKey theirs = key;
    theirs.rank = sender;
    for (std::size_t first = 0; first < count; first += kPiece) {
      const std::span<std::byte> expected = std::span(piece).first(std::min(kPiece, count - first) * size);
      fill_input(theirs, borders[mine] + first, expected);
      const std::size_t before = static_cast<std::size_t>(sender) * count + first;
      const auto got = output.subspan(before * size, expected.size());
      const auto wrong = std::ranges::mismatch(expected, got);
      if (wrong.in1 == expected.end()) continue;
      const std::size_t in_piece = static_cast<std::size_t>(wrong.in1 - expected.begin()) / size;
      Mismatch mismatch;
      mismatch.call = context.call;
      mismatch.rank = key.rank;
      mismatch.element = before + in_piece;
      mismatch.got = value_at(params.dtype, got, in_piece);
      mismatch.expected = value_at(params.dtype, expected, in_piece);
      const bool poisoned = std::ranges::all_of(got.subspan(in_piece * size, size),
                                                [](std::byte byte) { return byte == kPoison; });
      mismatch.text =
          fmt::format("call {}, rank {}, element {} of the part from rank {}: got {}, expected {}{}",
                      mismatch.call, mismatch.rank, first + in_piece, sender, mismatch.got, mismatch.expected,
                      poisoned ? ", as if it had never been written" : "");
      return mismatch;
    }
  }
  return std::nullopt;
}

}  // namespace ringside
