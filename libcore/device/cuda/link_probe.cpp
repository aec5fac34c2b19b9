#include "device/cuda/link_probe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <vector>

#include "device/cuda/cuda_error.hpp"
#include "kernels/empty_node.hpp"
#include "kernels/link_probe.hpp"
#include "stats/order.hpp"

namespace ringside {
namespace {

constexpr std::uint32_t kRounds = 200;  // of ping-pong, at each place
constexpr int kEmptyNodes = 256;
constexpr int kRepetitions = 10;
constexpr Bytes kStreamed = 64_MiB;  // what one transfer kernel moves at least, in whole passes
constexpr std::size_t kVector = 16;

template <typename Choose>
double over_ranks(Bootstrap& bootstrap, double mine, Choose choose) {
  double chosen = mine;
  for (const std::string& text : bootstrap.all_gather(fmt::format("{}", mine))) {
    double theirs = 0;
    std::from_chars(text.data(), text.data() + text.size(), theirs);
    chosen = choose(chosen, theirs);
  }
  return chosen;
}

double largest(Bootstrap& bootstrap, double mine) {
  return over_ranks(bootstrap, mine, [](double a, double b) { return std::max(a, b); });
}

double smallest(Bootstrap& bootstrap, double mine) {
  return over_ranks(bootstrap, mine, [](double a, double b) { return std::min(a, b); });
}

// The fastest of a few repetitions: limits are what can be reached, not what is usual.
double fastest_ns(Workload& workload) {
  double times[kRepetitions] = {};
  workload.repeat(times);
  return *std::min_element(std::begin(times), std::end(times));
}

}  // namespace

ProbeBlock allocate_probe_block(Arena& arena, Bytes message) {
  const std::size_t peers = static_cast<std::size_t>(std::max(arena.ranks() - 1, 1));
  ProbeBlock block;
  block.per_peer = std::max(kVector, message.count / peers / kVector * kVector);
  block.data = arena.allocate({block.per_peer * peers});
  return block;
}

LinkLimits LinkProbe::limits(Bytes message) {
  if (!node_gap_ns_) node_gap_ns_ = measure_node_gap_ns();
  if (!latency_ns_) latency_ns_ = measure_latency_ns();
  auto known = bandwidth_gbps_.find(message);
  if (known == bandwidth_gbps_.end()) {
    known = bandwidth_gbps_.emplace(message, measure_bandwidth_gbps(message)).first;
  }
  return {*latency_ns_, *node_gap_ns_, known->second};
}

double LinkProbe::measure_node_gap_ns() {
  const auto graph = device_.make_workload(Mode::graph, [this] {
    for (int i = 0; i < kEmptyNodes; ++i)
      check_cuda(launch_empty_node(device_.stream()), "launch of empty_node");
  });
  return largest(device_.bootstrap(), fastest_ns(*graph) / kEmptyNodes);
}

// In turn k, rank r talks to rank r xor k: all pairs come up, and no rank has two partners at once.
double LinkProbe::measure_latency_ns() {
  const unsigned turns = std::bit_ceil(static_cast<unsigned>(device_.ranks()));
  double farthest = 0;
  for (unsigned turn = 1; turn < turns; ++turn) {
    const int peer = device_.rank() ^ static_cast<int>(turn);
    std::vector<double> times;
    for (int place = 0; place < kProbePlaces; ++place) times.push_back(one_way_ns(peer, place));
    farthest = std::max(farthest, median(times));
  }
  return largest(device_.bootstrap(), farthest);
}

// 0 where there is no such peer, and on the one of two that answers.
double LinkProbe::one_way_ns(int peer, int place) {
  *elapsed_.as<std::uint64_t>() = 0;
  device_.start_barrier().enqueue_barrier(device_.stream());
  if (peer < device_.ranks()) {
    kernels::launch_ping_pong(device_.start_barrier().probe_board(place), peer, device_.rank() < peer,
                              probe_count_, kRounds, device_.start_barrier().guard(),
                              elapsed_.as<std::uint64_t>(), device_.stream());
    check_launch("ping_pong");
  }
  probe_count_ += kRounds;
  device_.finish();
  return static_cast<double>(*elapsed_.as<std::uint64_t>()) / (2.0 * kRounds);
}

double LinkProbe::measure_bandwidth_gbps(Bytes message) {
  if (!device_.all_within_reach() || device_.ranks() < 2) return 0;
  const std::size_t peers = static_cast<std::size_t>(device_.ranks() - 1);
  Arena& arena = device_.arena();
  const Bytes before = arena.used();
  const ProbeBlock block = allocate_probe_block(arena, message);
  const std::size_t per_peer = block.per_peer;
  const int passes = static_cast<int>(std::max<std::uint64_t>(1, kStreamed.count / (per_peer * peers)));
  kernels::PeerBuffers buffers;
  for (int step = 1; step < device_.ranks(); ++step) {
    // Neighbours differ from rank to rank, and each writer has a part of its own in its target's block.
    const int peer = (device_.rank() + step) % device_.ranks();
    buffers.data[buffers.peers++] =
        arena.on_rank(peer, block.data) + static_cast<std::size_t>(step - 1) * per_peer;
  }
  double best_gbps = 0;
  for (const auto direction : {kernels::LinkDirection::store, kernels::LinkDirection::load}) {
    const auto stream = device_.make_workload(Mode::graph, [&] {
      kernels::launch_transfer(direction, buffers, per_peer, passes, device_.multiprocessors(),
                               device_.stream());
      check_launch("transfer");
    });
    const double time_ns = std::max(1.0, fastest_ns(*stream) - *node_gap_ns_);
    const double moved = static_cast<double>(per_peer * peers) * passes;
    best_gbps = std::max(best_gbps, smallest(device_.bootstrap(), moved / time_ns));
  }
  arena.rewind(before);
  return best_gbps;
}

}  // namespace ringside
