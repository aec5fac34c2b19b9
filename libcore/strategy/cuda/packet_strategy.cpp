#include "strategy/cuda/packet_strategy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "device/cuda/cuda_device.hpp"
#include "device/cuda/cuda_error.hpp"
#include "strategy/cuda/elements.hpp"
#include "strategy/cuda/peer_access.hpp"
#include "strategy/trial_buffers.hpp"

namespace ringside {
namespace {

// Where in a GPU's memory its slots lie counts in a short call's time, for as long as they
// lie there. So a few places are tried when a call is prepared, and the fastest is kept.
constexpr int kPlaces = 6;
constexpr Bytes kLargestTried = 64_KiB;  // beyond it a message is spread over all channels anyhow
constexpr int kTrialCalls = 32;
constexpr std::size_t kTrialReplays = 5;

// Places for the slots: several, where they are tried.
std::vector<const std::byte*> allocate_places(Arena& arena, const Case& params, const PacketKernel& kernel) {
  const std::size_t bytes =
      kernels::slot_memory_bytes(params.ranks, kernel.row_bytes(params.bytes.count, params.ranks));
  std::vector<const std::byte*> places(params.bytes <= kLargestTried ? kPlaces : 1);
  for (const std::byte*& place : places) place = arena.allocate({bytes});
  return places;
}

class PacketCollective final : public PreparedCollective {
 public:
  PacketCollective(CudaDevice& device, const Case& params, const PacketKernel& kernel, bool dependent)
      : device_(device),
        kernel_(kernel),
        element_(kernel_element(params.dtype)),
        shape_(kernel.shape(params.bytes.count, params.ranks, device.multiprocessors())) {
    shape_.dependent = dependent;
    kernels::PacketArguments& packets = arguments_.packets;
    packets.slots.row_bytes = kernel.row_bytes(params.bytes.count, params.ranks);
    packets.slots.rank = device.rank();
    packets.slots.ranks = params.ranks;
    packets.count = params.count();
    packets.guard = device.start_barrier().guard();
    const std::vector<const std::byte*> places = allocate_places(device.arena(), params, kernel);
    move_to(places.size() > 1 ? fastest(places, params.bytes) : places.front());
  }

  void enqueue(const std::byte* input, std::byte* output) override {
    arguments_.packets.input = input;
    arguments_.packets.output = output;
    for (int r = 0; r < arguments_.packets.slots.ranks; ++r) {
      arguments_.outputs[r] = device_.arena().on_rank(r, output);
    }
    check_cuda(kernel_.launch(element_, arguments_, shape_, device_.stream()), kernel_.name);
  }

 private:
  // Empty slots in this block of every rank's arena.
  void move_to(const std::byte* memory) {
    kernels::PacketSlots& slots = arguments_.packets.slots;
    for (int r = 0; r < slots.ranks; ++r) slots.memory[r] = device_.arena().on_rank(r, memory);
    check_cuda(kernels::clear_slots(slots, 0, device_.stream()), "clearing the slots");
    device_.finish();
    device_.bootstrap().barrier();  // no peer may send into slots that their owner has not emptied
  }

  const std::byte* fastest(const std::vector<const std::byte*>& memory, Bytes message) {
    const TrialBuffers buffers(device_.arena(), message);
    device_.fill(buffers.input(), std::byte{0}, message.count);
    const std::byte* best = nullptr;
    double least_ns = 0;
    for (const std::byte* candidate : memory) {
      move_to(candidate);
      const double time_ns = trial_ns(buffers.input(), buffers.output());
      if (best != nullptr && time_ns >= least_ns) continue;
      best = candidate;
      least_ns = time_ns;
    }
    return best;
  }

  // The same on every rank, so that all take the same place.
  double trial_ns(const std::byte* input, std::byte* output) {
    const auto workload = device_.make_workload(Mode::graph, [&] {
      for (int call = 0; call < kTrialCalls; ++call) enqueue(input, output);
    });
    std::array<double, kTrialReplays> times_ns{};
    workload->repeat(times_ns);
    const std::string mine = fmt::format("{}", *std::ranges::min_element(times_ns));
    double slowest_ns = 0;
    for (const std::string& theirs : device_.bootstrap().all_gather(mine))
      slowest_ns = std::max(slowest_ns, std::stod(theirs));
    return slowest_ns;
  }

  CudaDevice& device_;
  const PacketKernel& kernel_;
  kernels::Element element_;
  kernels::LaunchShape shape_;
  kernels::TwoShotArguments arguments_;
};

}  // namespace

std::optional<Finding> PacketStrategy::admit(const Case& params, const AdmissionContext& context) const {
  if (auto refused = Strategy::admit(params, context)) return refused;
  if (auto refused = refuse_peer_kernel(params, context, kernels::kMaxPacketRanks)) return refused;
  if (dependent_) return refuse_dependent_launch(params, context);
  return std::nullopt;
}

void PacketStrategy::allocate(Arena& arena, const Case& params) const {
  const auto places = allocate_places(arena, params, kernel_);
  if (places.size() > 1) {
    const TrialBuffers buffers(arena, params.bytes);
  }
}

std::unique_ptr<PreparedCollective> PacketStrategy::prepare(RankDevice& device, const Case& params) const {
  return std::make_unique<PacketCollective>(CudaDevice::of(device), params, kernel_, dependent_);
}

}  // namespace ringside
