#include "device/cuda/link_probe.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "device/cuda/cuda_error.hpp"
#include "device/cuda/transfer_probe.hpp"
#include "kernels/empty_node.hpp"
#include "kernels/link_probe.hpp"
#include "stats/order.hpp"

namespace ringside {
namespace {

constexpr std::uint32_t kRounds = 100;  // of ping-pong in a train
constexpr int kTrains = 3;              // at each place
constexpr int kFinalTrains = 9;         // at the fastest
constexpr int kEmptyNodes = 256;
constexpr int kRepetitions = 10;

}  // namespace

LinkLimits LinkProbe::limits(Bytes message) {
  LinkLimits limits;
  if (!node_gap_ns_) node_gap_ns_ = measure_node_gap_ns();
  limits.node_gap_ns = node_gap_ns_;
  if (device_.ranks() < 2) {
    limits.missing = "one rank has no link";
    return limits;
  }
  if (!latency_) latency_ = measure_latency();
  limits.one_way_latency_ns = latency_->time_ns;
  limits.scatter = latency_->scatter;
  if (!device_.all_within_reach()) {
    limits.missing = "a GPU has no access to another one's memory, so no bandwidth between them was measured";
    return limits;
  }
  const std::size_t block = transfer_bytes(device_.ranks(), message);
  auto known = transfers_.find(block);
  if (known == transfers_.end()) {
    known = transfers_.emplace(block, measure_transfer(device_, message, *node_gap_ns_)).first;
  }
  limits.bandwidth_gbps = 1 / known->second.time_ns;
  limits.scatter = std::max(limits.scatter, known->second.scatter);
  return limits;
}

double LinkProbe::measure_node_gap_ns() {
  const auto graph = device_.make_workload(Mode::graph, [this] {
    for (int i = 0; i < kEmptyNodes; ++i)
      check_cuda(launch_empty_node(device_.stream()), "launch of empty_node");
  });
  double times[kRepetitions] = {};
  graph->repeat(times);
  return slowest_of_ranks(device_.bootstrap(), *std::ranges::min_element(times) / kEmptyNodes);
}

// In turn k, rank r talks to rank r xor k: all pairs come up, and no rank has two partners at once.
Fastest LinkProbe::measure_latency() {
  const unsigned turns = std::bit_ceil(static_cast<unsigned>(device_.ranks()));
  Fastest farthest;
  for (unsigned turn = 1; turn < turns; ++turn) {
    const Fastest pair = latency_to(device_.rank() ^ static_cast<int>(turn));
    farthest.time_ns = std::max(farthest.time_ns, pair.time_ns);
    farthest.scatter = std::max(farthest.scatter, pair.scatter);
  }
  return {slowest_of_ranks(device_.bootstrap(), farthest.time_ns),
          slowest_of_ranks(device_.bootstrap(), farthest.scatter)};
}

// A flag's place is near its reader or far from it, whatever the other rank's place is: one is looked for
// after the other.
Fastest LinkProbe::latency_to(int peer) {
  Places places;
  if (device_.start_barrier().flags_on_gpus()) {
    places.starter = fastest_place(peer, places, &Places::starter);
    places.other = fastest_place(peer, places, &Places::other);
  }
  const std::vector<double> trains = one_way_ns(peer, places, kFinalTrains);
  const double middle = median(trains);
  return {middle, middle / *std::ranges::min_element(trains) - 1};
}

// By the medians of the pair's starter, which alone has times.
int LinkProbe::fastest_place(int peer, Places places, int Places::*varied) {
  std::vector<double> medians;
  for (int place = 0; place < kProbePlaces; ++place) {
    places.*varied = place;
    medians.push_back(median(one_way_ns(peer, places, kTrains)));
  }
  const auto all = gather(device_.bootstrap(), medians);
  const std::vector<double>& starters = all[static_cast<std::size_t>(std::min(device_.rank(), peer))];
  return static_cast<int>(std::ranges::min_element(starters) - starters.begin());
}

// 0 where there is no such peer, and on the one of two that answers.
std::vector<double> LinkProbe::one_way_ns(int peer, Places places, int trains) {
  const bool starts = device_.rank() < peer;
  StartBarrier& meeting = device_.start_barrier();
  const kernels::FlagBoard board = starts ? meeting.probe_board(places.starter, places.other)
                                          : meeting.probe_board(places.other, places.starter);
  std::vector<double> times;
  for (int train = 0; train < trains; ++train) {
    *elapsed_.as<std::uint64_t>() = 0;
    meeting.enqueue_barrier(device_.stream());
    if (peer < device_.ranks()) {
      kernels::launch_ping_pong(board, peer, starts, probe_count_, kRounds, meeting.guard(),
                                elapsed_.as<std::uint64_t>(), device_.stream());
      check_launch("ping_pong");
    }
    probe_count_ += kRounds;
    device_.finish();
    times.push_back(static_cast<double>(*elapsed_.as<std::uint64_t>()) / (2.0 * kRounds));
  }
  return times;
}

}  // namespace ringside
