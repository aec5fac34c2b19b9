#include "strategy/host/trial.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>

#include "strategy/trial_buffers.hpp"

namespace ringside {
namespace {

constexpr int kRounds = 5;
constexpr int kFewestCalls = 2;  // in a round
constexpr int kMostCalls = 50;
constexpr double kRoundNs = 1e6;

// Enough calls that the clock's grain does not count; few where a call takes long, be it for its size or
// because other work keeps the ranks from running at the same time.
int calls_per_round(double call_ns) {
  return static_cast<int>(std::clamp(kRoundNs / call_ns, double{kFewestCalls}, double{kMostCalls}));
}

// By candidate, the slowest rank's time.
std::vector<double> slowest_ranks(Bootstrap& bootstrap, const std::vector<double>& mine) {
  const std::string_view bytes(reinterpret_cast<const char*>(mine.data()), mine.size() * sizeof(double));
  std::vector<double> slowest = mine;
  for (const std::string& theirs : bootstrap.all_gather(bytes)) {
    for (std::size_t i = 0; i < slowest.size(); ++i) {
      double time_ns = 0;
      std::memcpy(&time_ns, theirs.data() + i * sizeof(double), sizeof time_ns);
      slowest[i] = std::max(slowest[i], time_ns);
    }
  }
  return slowest;
}

std::unique_ptr<PreparedCollective> take(TrialCandidate& candidate, const char* chosen_by) {
  candidate.collective->set_choice({candidate.name, chosen_by, std::nullopt});
  return std::move(candidate.collective);
}

}  // namespace

void allocate_trial(Arena& arena, const Case& params, std::size_t candidates) {
  if (candidates > 1) {
    const TrialBuffers buffers(arena, params.bytes);
  }
}

std::unique_ptr<PreparedCollective> take_fastest(HostDevice& device, const Case& params,
                                                 std::vector<TrialCandidate> candidates) {
  if (candidates.size() == 1) return take(candidates.front(), "size");
  const TrialBuffers buffers(device.arena(), params.bytes);
  std::byte* const input = buffers.input();
  std::byte* const output = buffers.output();
  std::memset(input, 0, params.bytes.count);

  int calls = kFewestCalls;
  std::vector<std::unique_ptr<Workload>> workloads;
  for (const TrialCandidate& candidate : candidates) {
    workloads.push_back(device.make_workload(Mode::eager, [&candidate, &calls, input, output] {
      for (int call = 0; call < calls; ++call) candidate.collective->enqueue(input, output);
    }));
  }
  const auto best_of = [&](int rounds) {
    std::vector<double> best(candidates.size(), std::numeric_limits<double>::infinity());
    for (int round = 0; round < rounds; ++round) {
      for (std::size_t i = 0; i < candidates.size(); ++i) {
        double time_ns = 0;
        workloads[i]->repeat({&time_ns, 1});
        best[i] = std::min(best[i], time_ns);
      }
    }
    return slowest_ranks(device.bootstrap(), best);
  };
  const std::vector<double> warm_up = best_of(2);
  calls = calls_per_round(*std::max_element(warm_up.begin(), warm_up.end()) / kFewestCalls);
  const std::vector<double> slowest = best_of(kRounds);
  const auto winner = std::min_element(slowest.begin(), slowest.end()) - slowest.begin();
  return take(candidates[static_cast<std::size_t>(winner)], "trial");
}

}  // namespace ringside
