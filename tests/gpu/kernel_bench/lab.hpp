#pragma once

#include <functional>
#include <map>
#include <string>

#include "gpu/kernel_bench/data.hpp"
#include "gpu/kernel_bench/families.hpp"
#include "gpu/kernel_bench/peer_memory.hpp"
#include "kernels/device_barrier.hpp"

namespace ringside::bench {

// One rank's GPU with everything that the measurements need: slots for each family, inputs and outputs, a
// barrier of all ranks.
class Lab {
 public:
  static constexpr std::size_t kDataBytes = std::size_t{128} << 20;  // for inputs and for outputs, each

  // Collective. Waits are given up after `wait_limit_ns`. `calls`: what the call counters start with.
  Lab(Ranks& ranks, std::uint64_t wait_limit_ns, std::uint32_t calls = 0);

  Ranks& ranks() { return ranks_; }
  cudaStream_t stream() const { return stream_; }
  int multiprocessors() const { return multiprocessors_; }
  std::byte* inputs() const { return data_; }
  std::byte* outputs() const { return data_ + kDataBytes; }

  // Collective: all ranks' work is done, and the counters say that `calls` calls have been made.
  void set_calls(std::uint32_t calls);

  void launch(const Family& family, const CallData& call, const kernels::LaunchShape& shape);

  // What a graph of `calls` takes per call in us: behind a barrier of all ranks, largest over ranks, median
  // of `repetitions` replays. Collective.
  double time_graph(const std::function<void()>& call, int calls, int repetitions);
  // The same, launched one by one.
  double time_eager(const std::function<void()>& call, int calls, int repetitions);

  cudaGraphExec_t capture(const std::function<void()>& work);
  void barrier();  // of all ranks' streams; the host does not wait
  // Waits for the stream; throws when a kernel gave up waiting.
  void finish();
  kernels::WaitFailure failure() const;

  std::uint32_t* burst() const { return burst_; }
  Verdict* verdict() const { return verdict_; }

 private:
  double time(const std::function<void()>& work, int calls, int repetitions);

  Ranks& ranks_;
  PeerMemory memory_;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t begin_ = nullptr;
  cudaEvent_t end_ = nullptr;
  int multiprocessors_ = 0;
  kernels::FlagBoard board_;
  kernels::WaitGuard guard_;
  std::uint32_t epoch_ = 0;
  std::uint32_t* gate_ = nullptr;
  std::uint32_t gate_value_ = 0;
  std::uint32_t* burst_ = nullptr;
  Verdict* verdict_ = nullptr;
  std::byte* data_ = nullptr;
  std::map<std::string_view, kernels::PacketSlots> slots_;
};

}  // namespace ringside::bench
