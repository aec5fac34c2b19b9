#include "strategy/host/trial.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>

#include "strategy/host/scratch.hpp"

namespace ringside {
namespace {

constexpr int kRounds = 5;

// Enough calls that the clock's grain does not count, few enough that the trial takes some milliseconds.
int calls_per_round(const HostDevice& device, Bytes message) {
  if (device.crowded()) return 2;
  constexpr std::uint64_t kBytesPerRound = std::uint64_t{4} << 20;
  return static_cast<int>(std::clamp<std::uint64_t>(kBytesPerRound / (message.count + 1), 2, 50));
}

// By candidate, the slowest rank's time.
std::vector<double> slowest_ranks(Exchange& exchange, const std::vector<double>& mine) {
  const std::string_view bytes(reinterpret_cast<const char*>(mine.data()), mine.size() * sizeof(double));
  std::vector<double> slowest = mine;
  for (const std::string& theirs : exchange.all_gather(bytes)) {
    for (std::size_t i = 0; i < slowest.size(); ++i) {
      double time_ns = 0;
      std::memcpy(&time_ns, theirs.data() + i * sizeof(double), sizeof time_ns);
      slowest[i] = std::max(slowest[i], time_ns);
    }
  }
  return slowest;
}

}  // namespace

Bytes trial_need(Bytes message) {
  return {2 * block_need(message).count};
}

std::unique_ptr<PreparedCollective> take_fastest(
    HostDevice& device, const Case& params, std::vector<std::unique_ptr<PreparedCollective>> candidates) {
  if (candidates.size() == 1) return std::move(candidates.front());
  Arena& arena = device.arena();
  const Bytes used = arena.used();
  std::byte* const input = arena.allocate(params.bytes, kScratchAlignment);
  std::byte* const output = arena.allocate(params.bytes, kScratchAlignment);
  std::memset(input, 0, params.bytes.count);

  const int calls = calls_per_round(device, params.bytes);
  std::vector<std::unique_ptr<Workload>> workloads;
  for (const auto& candidate : candidates) {
    workloads.push_back(device.make_workload(Mode::eager, [&candidate, input, output, calls] {
      for (int call = 0; call < calls; ++call) candidate->enqueue(input, output);
    }));
  }
  std::vector<double> best(candidates.size(), std::numeric_limits<double>::infinity());
  for (int round = -1; round < kRounds; ++round) {  // one to warm up
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      double time_ns = 0;
      workloads[i]->repeat({&time_ns, 1});
      if (round >= 0) best[i] = std::min(best[i], time_ns);
    }
  }
  const std::vector<double> slowest = slowest_ranks(device.exchange(), best);
  arena.rewind(used);
  const auto winner = std::min_element(slowest.begin(), slowest.end()) - slowest.begin();
  return std::move(candidates[static_cast<std::size_t>(winner)]);
}

}  // namespace ringside
