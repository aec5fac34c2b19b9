#include "gpu/kernel_bench/lab.hpp"

#include <algorithm>
#include <stdexcept>

namespace ringside::bench {
namespace {

constexpr std::size_t kControlBytes = 64 * 1024;
constexpr std::size_t kFailureOffset = 16 * 1024;
constexpr std::size_t kBurstOffset = 20 * 1024;
constexpr std::size_t kVerdictOffset = 24 * 1024;
constexpr std::uint64_t kGateLimitNs = 1'000'000'000;

std::size_t memory_needed(int ranks) {
  std::size_t bytes = kControlBytes + 2 * Lab::kDataBytes;
  for (const Family& family : families()) {
    bytes += kernels::slot_memory_bytes(ranks, family.row_bytes(family.largest_message, ranks));
  }
  return bytes;
}

}  // namespace

Lab::Lab(Ranks& ranks, std::uint64_t wait_limit_ns, std::uint32_t calls)
    : ranks_(ranks), memory_(ranks, memory_needed(ranks.size())) {
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
  check(cudaEventCreate(&begin_), "cudaEventCreate");
  check(cudaEventCreate(&end_), "cudaEventCreate");
  check(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, ranks.rank()), "attribute");
  check(cudaHostAlloc(&gate_, sizeof *gate_, cudaHostAllocMapped), "cudaHostAlloc");
  *gate_ = 0;
  std::byte* const own = memory_.of(ranks.rank());
  check(cudaMemsetAsync(own, 0, kControlBytes, stream_), "cudaMemset");
  board_.rank = ranks.rank();
  board_.ranks = ranks.size();
  for (int r = 0; r < ranks.size(); ++r) board_.inboxes[r] = reinterpret_cast<kernels::Flag*>(memory_.of(r));
  guard_ = {reinterpret_cast<kernels::WaitFailure*>(own + kFailureOffset), wait_limit_ns};
  burst_ = reinterpret_cast<std::uint32_t*>(own + kBurstOffset);
  verdict_ = reinterpret_cast<Verdict*>(own + kVerdictOffset);
  std::size_t offset = kControlBytes;
  data_ = own + offset;
  offset += 2 * kDataBytes;
  for (const Family& family : families()) {
    kernels::PacketSlots slots;
    slots.rank = ranks.rank();
    slots.ranks = ranks.size();
    slots.row_bytes = family.row_bytes(family.largest_message, ranks.size());
    for (int r = 0; r < ranks.size(); ++r) slots.memory[r] = memory_.of(r) + offset;
    offset += kernels::slot_memory_bytes(ranks.size(), slots.row_bytes);
    check(kernels::clear_slots(slots, calls, stream_), "clear_slots");
    slots_[family.name] = slots;
  }
  check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
  ranks_.barrier();
}

void Lab::set_calls(std::uint32_t calls) {
  finish();
  ranks_.barrier();
  for (const auto& [name, slots] : slots_) check(kernels::set_calls(slots, calls, stream_), "set_calls");
  finish();
  ranks_.barrier();
}

void Lab::launch(const Family& family, const CallData& call, const kernels::LaunchShape& shape) {
  kernels::TwoShotArguments arguments{{slots_.at(family.name), call.input, call.output, call.count, guard_}};
  for (int r = 0; r < ranks_.size(); ++r) {
    arguments.outputs[r] = memory_.of(r) + (static_cast<std::byte*>(call.output) - memory_.of(ranks_.rank()));
  }
  check(family.launch(call.element, arguments, shape, stream_), "launch");
}

cudaGraphExec_t Lab::capture(const std::function<void()>& work) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  work();
  check(cudaStreamEndCapture(stream_, &graph), "cudaStreamEndCapture");
  check(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
  check(cudaGraphDestroy(graph), "cudaGraphDestroy");
  check(cudaGraphUpload(executable, stream_), "cudaGraphUpload");
  return executable;
}

void Lab::barrier() {
  kernels::launch_device_barrier(board_, ++epoch_, guard_, gate_, ++gate_value_, kGateLimitNs, stream_);
}

double Lab::time(const std::function<void()>& work, int calls, int repetitions) {
  std::vector<double> samples;
  constexpr int kWarmUps = 3;
  for (int i = 0; i < kWarmUps + repetitions; ++i) {
    ranks_.barrier();
    barrier();
    check(cudaEventRecord(begin_, stream_), "cudaEventRecord");
    work();
    check(cudaEventRecord(end_, stream_), "cudaEventRecord");
    ranks_.barrier();
    __atomic_store_n(gate_, gate_value_, __ATOMIC_RELEASE);
    finish();
    float elapsed_ms = 0;
    check(cudaEventElapsedTime(&elapsed_ms, begin_, end_), "cudaEventElapsedTime");
    const double longest = ranks_.max(elapsed_ms);
    if (i >= kWarmUps) samples.push_back(longest * 1000.0 / calls);
  }
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

double Lab::time_graph(const std::function<void()>& call, int calls, int repetitions) {
  const cudaGraphExec_t graph = capture([&] {
    for (int i = 0; i < calls; ++i) call();
  });
  const auto replay = [&] { check(cudaGraphLaunch(graph, stream_), "cudaGraphLaunch"); };
  const double us = time(replay, calls, repetitions);
  check(cudaGraphExecDestroy(graph), "cudaGraphExecDestroy");
  return us;
}

double Lab::time_eager(const std::function<void()>& call, int calls, int repetitions) {
  const auto all = [&] {
    for (int i = 0; i < calls; ++i) call();
  };
  return time(all, calls, repetitions);
}

void Lab::finish() {
  check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
  const kernels::WaitFailure found = failure();
  if (found.place == kernels::WaitPlace::none) return;
  throw std::runtime_error("gave up waiting for rank " + std::to_string(found.peer) + " at place " +
                           std::to_string(static_cast<int>(found.place)) + ", call " +
                           std::to_string(found.expected) + ", block " + std::to_string(found.block));
}

kernels::WaitFailure Lab::failure() const {
  kernels::WaitFailure found;
  check(cudaMemcpy(&found, guard_.failure, sizeof found, cudaMemcpyDeviceToHost), "cudaMemcpy");
  return found;
}

}  // namespace ringside::bench
