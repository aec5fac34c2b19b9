#include "strategy/host/direct_reduction.hpp"

#include "strategy/host/scratch.hpp"

namespace ringside {
namespace {

constexpr int kReady = 0;
constexpr int kDone = 1;
constexpr int kChannels = 2;

}  // namespace

std::byte* DirectReduction::allocate(Arena& arena) {
  return allocate_flags(arena, kChannels);
}

DirectReduction::DirectReduction(HostDevice& device, const Case& params, std::byte* memory, bool streaming)
    : arena_(device.arena()),
      flags_(device.make_flags(memory, kChannels)),
      reduction_(params.dtype),
      element_size_(element_size(params.dtype)),
      part_(split({0, params.count()}, params.ranks, device.rank(), elements_per_line(element_size_))),
      streaming_(streaming),
      inputs_(static_cast<std::size_t>(params.ranks)),
      outputs_(static_cast<std::size_t>(params.ranks)) {}

void DirectReduction::enqueue(const std::byte* input, std::byte* output) {
  ++call_;
  flags_.post_all(kReady, call_);
  const std::size_t offset = part_.first * element_size_;
  for (int rank = 0; rank < arena_.ranks(); ++rank) {
    const auto r = static_cast<std::size_t>(rank);
    inputs_[r] = arena_.on_rank(rank, input) + offset;
    outputs_[r] = arena_.on_rank(rank, output) + offset;
  }
  flags_.wait_all(kReady, call_);
  const Terms terms{.partials = {}, .values = inputs_};
  if (streaming_) {
    reduction_.to_result_streaming(outputs_, terms, part_.count);
  } else {
    reduction_.to_result(outputs_, terms, part_.count);
  }
  flags_.post_all(kDone, call_);
  flags_.wait_all(kDone, call_);
}

}  // namespace ringside
