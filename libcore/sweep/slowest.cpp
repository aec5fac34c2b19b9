#include "sweep/slowest.hpp"

#include <algorithm>

#include "stats/order.hpp"

namespace ringside {

std::vector<double> slowest_per_call(const std::vector<SampleReply>& replies, int calls) {
  std::vector<double> slowest = replies.front().times_ns;
  for (const SampleReply& reply : replies) {
    for (std::size_t i = 0; i < slowest.size(); ++i) slowest[i] = std::max(slowest[i], reply.times_ns[i]);
  }
  for (double& time : slowest) time /= calls;
  return slowest;
}

std::vector<HeardRange> slowest_calls(const std::vector<PrepareReply>& replies) {
  std::vector<HeardRange> slowest;
  for (const PrepareReply& reply : replies) {
    for (const HeardRange& call : reply.nccl_calls) {
      const auto known = std::ranges::find(slowest, call.name, &HeardRange::name);
      if (known == slowest.end())
        slowest.push_back(call);
      else if (known->time_ns < call.time_ns)
        *known = call;
    }
  }
  return slowest;
}

SkewRecord describe_skew(const std::vector<SampleReply>& replies, double delay_ns) {
  std::vector<double> others(replies.front().times_ns.size());
  for (std::size_t rank = 0; rank + 1 < replies.size(); ++rank) {
    for (std::size_t i = 0; i < others.size(); ++i)
      others[i] = std::max(others[i], replies[rank].times_ns[i]);
  }
  return {delay_ns, median(others), std::max(0.0, median(replies.back().times_ns) - delay_ns)};
}

}  // namespace ringside
