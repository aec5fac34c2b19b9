#include "device/cuda/start_barrier.hpp"

#include <fmt/format.h>

#include <atomic>

#include "base/units.hpp"
#include "device/cuda/cuda_error.hpp"
#include "device/cuda/device_lost.hpp"

namespace ringside {
namespace {

using namespace std::chrono_literals;

// A gate that is not opened in time lets go: the host may be blocked by a queue that only the gate keeps
// full.
constexpr std::chrono::nanoseconds kGateLimit = 20ms;

const char* place_name(kernels::WaitPlace place) {
  switch (place) {
    case kernels::WaitPlace::barrier:
      return "the barrier before a repetition";
    case kernels::WaitPlace::ping_pong:
      return "the flag probe";
    case kernels::WaitPlace::pull_start:
      return "custom-pull, before its loads";
    case kernels::WaitPlace::pull_end:
      return "custom-pull, after its loads";
    case kernels::WaitPlace::lsa:
      return "symmetric-lsa, in NCCL's barrier";
    case kernels::WaitPlace::packet:
      return "a custom push kernel, for a packet";
    case kernels::WaitPlace::gather:
      return "custom-two-shot, for the notice that its sums are stored";
    case kernels::WaitPlace::none:
      break;
  }
  return "nothing";
}

}  // namespace

StartBarrier::StartBarrier(Bootstrap& bootstrap, const std::vector<std::byte*>& bases,
                           std::chrono::nanoseconds wait_limit)
    : bases_(bases) {
  bool all_within_reach = true;
  for (const std::byte* base : bases) all_within_reach &= base != nullptr;
  for (const std::string& theirs : bootstrap.all_gather(all_within_reach ? "all" : "")) {
    all_within_reach &= theirs == "all";
  }
  barrier_.rank = bootstrap.rank();
  barrier_.ranks = bootstrap.ranks();
  ControlPage* own = reinterpret_cast<ControlPage*>(bases[static_cast<std::size_t>(bootstrap.rank())]);
  guard_ = {&own->report.failure, static_cast<std::uint64_t>(wait_limit.count())};
  check_cuda(cudaMemset(own, 0, kControlBytes), "cudaMemset of the control page");

  kernels::Flag* host = nullptr;
  if (!all_within_reach) {
    const std::size_t flags = 2 * bases.size() * kernels::kMaxRanks;
    host_flags_ = std::make_unique<HostFlags>(bootstrap, flags * sizeof(kernels::Flag));
    host = static_cast<kernels::Flag*>(host_flags_->device_address());
    host_probe_ = host + bases.size() * kernels::kMaxRanks;
  }
  for (std::size_t r = 0; r < bases.size(); ++r) {
    barrier_.inboxes[r] =
        host != nullptr ? host + r * kernels::kMaxRanks : reinterpret_cast<ControlPage*>(bases[r])->barrier;
  }
  // No rank may write into a page that its owner has not zeroed.
  check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  bootstrap.barrier();
}

void StartBarrier::enqueue_barrier(cudaStream_t stream, bool gated) {
  const std::uint32_t* gate = nullptr;
  if (gated) {
    ++gate_;
    gate = gate_counter_.as<std::uint32_t>();
  }
  kernels::launch_device_barrier(barrier_, ++epoch_, guard_, gate, gate_,
                                 static_cast<std::uint64_t>(kGateLimit.count()), stream);
  check_launch("device_barrier");
}

void StartBarrier::open_gate() {
  std::atomic_ref<std::uint32_t>(*gate_counter_.as<std::uint32_t>()).store(gate_, std::memory_order_release);
}

kernels::FlagBoard StartBarrier::probe_board(int own_place, int peer_place) const {
  kernels::FlagBoard board;
  board.rank = barrier_.rank;
  board.ranks = barrier_.ranks;
  for (std::size_t r = 0; r < bases_.size(); ++r) {
    const int place = static_cast<int>(r) == board.rank ? own_place : peer_place;
    board.inboxes[r] = host_probe_ != nullptr
                           ? host_probe_ + r * kernels::kMaxRanks
                           : reinterpret_cast<ControlPage*>(bases_[r])->probes[place].flags;
  }
  return board;
}

void StartBarrier::enqueue_stamp(cudaStream_t stream) {
  kernels::launch_stamp(&own_report().stamps, stream);
  check_launch("stamp");
}

void StartBarrier::clear_stamps(cudaStream_t stream) {
  check_cuda(cudaMemsetAsync(&own_report().stamps.taken, 0, sizeof(kernels::StampLog::taken), stream),
             "cudaMemsetAsync of the time stamps");
}

std::span<const std::uint64_t> StartBarrier::stamps_ns() const {
  const kernels::StampLog& log = report_.as<ControlPage::Report>()->stamps;
  return std::span(log.times_ns).first(log.taken);
}

ControlPage::Report& StartBarrier::own_report() const {
  return reinterpret_cast<ControlPage*>(bases_[static_cast<std::size_t>(barrier_.rank)])->report;
}

void StartBarrier::enqueue_report_copy(cudaStream_t stream) {
  check_cuda(cudaMemcpyAsync(report_.as<void>(), &own_report(), sizeof(ControlPage::Report),
                             cudaMemcpyDeviceToHost, stream),
             "cudaMemcpyAsync of what kernels report");
}

void StartBarrier::throw_on_failure() const {
  const kernels::WaitFailure& failure = report_.as<ControlPage::Report>()->failure;
  if (failure.place == kernels::WaitPlace::none) return;
  throw DeviceLost(fmt::format("waited {} for rank {} in {} and gave up (count {}, seen {}, block {})",
                               format_time_ns(static_cast<double>(guard_.limit_ns)), failure.peer,
                               place_name(failure.place), failure.expected, failure.seen, failure.block));
}

}  // namespace ringside
