#include "device/host/link_limits.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <limits>

#include "device/host/reduction.hpp"

namespace ringside {
namespace {

using Clock = std::chrono::steady_clock;

double ns_since(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

// Ranks `left` and `right` of an edge of the ring; the others sleep at the bootstrap and leave the cores
// alone.
class EdgeProbe {
 public:
  EdgeProbe(HostDevice& device, const PeerFlags& flags, int first_channel, std::uint64_t& pings, int left)
      : device_(device),
        flags_(flags),
        first_channel_(first_channel),
        pings_(pings),
        left_(left),
        right_((left + 1) % device.ranks()) {}

  // Of this rank's; empty where it is none of the two.
  std::vector<double> run() {
    constexpr int kTrains = 3;
    constexpr int kFinalTrains = 40;
    Places places;
    for (int Places::*varied : {&Places::left, &Places::right}) {
      std::vector<double> times;
      for (int place = 0; place < kPingPlaces; ++place) {
        places.*varied = place;
        const std::vector<double> trains = exchange(places, kTrains);
        if (!trains.empty()) times.push_back(*std::ranges::min_element(trains));
      }
      const std::vector<double> of_left = gather(device_.bootstrap(), times)[static_cast<std::size_t>(left_)];
      places.*varied = static_cast<int>(std::ranges::min_element(of_left) - of_left.begin());
    }
    return exchange(places, kFinalTrains);
  }

 private:
  // Of the flag that is written to the rank.
  struct Places {
    int left = 0;
    int right = 0;
  };

  // Both ranks post, then both wait: a round is one way of a flag, and what every collective has to do at
  // least.
  std::vector<double> exchange(Places places, int trains) {
    const int rounds = device_.crowded() ? 20 : 100;
    const bool is_left = device_.rank() == left_;
    std::vector<double> times;
    if (is_left || device_.rank() == right_) {
      const int peer = is_left ? right_ : left_;
      const int mine = first_channel_ + (is_left ? places.left : places.right);
      const int theirs = first_channel_ + (is_left ? places.right : places.left);
      std::uint64_t ping = pings_;
      for (int train = 0; train < trains; ++train) {
        const Clock::time_point start = Clock::now();
        for (int round = 0; round < rounds; ++round) {
          ++ping;
          flags_.post(theirs, peer, ping);
          flags_.wait(mine, peer, ping);
        }
        times.push_back(ns_since(start) / rounds);
      }
    }
    pings_ += static_cast<std::uint64_t>(trains) * static_cast<std::uint64_t>(rounds);
    return times;
  }

  HostDevice& device_;
  const PeerFlags& flags_;
  int first_channel_;
  std::uint64_t& pings_;
  int left_;
  int right_;
};

enum class SumWay { one_shot, two_shot, two_shot_streaming };

class SumProbe {
 public:
  explicit SumProbe(HostDevice& device, const SumBlock& block)
      : device_(device), block_(block), reduction_(DType::fp32) {
    const auto ranks = static_cast<std::size_t>(device.ranks());
    const auto rank = static_cast<std::size_t>(device.rank());
    const std::size_t lines = block.bytes / kLine;
    part_ = lines * rank / ranks * kLine;
    part_bytes_ = lines * (rank + 1) / ranks * kLine - part_;
    for (int peer = 0; peer < device.ranks(); ++peer) {
      inputs_.push_back(device.arena().on_rank(peer, block.input));
      outputs_.push_back(device.arena().on_rank(peer, block.output));
    }
  }

  Fastest run(SumWay way) {
    std::vector<double> times = {sample(way)};
    const Clock::time_point start = Clock::now();
    times.push_back(sample(way));  // the first one may have met pages that were not mapped yet
    const double whole_ns = slowest_of_ranks(device_.bootstrap(), ns_since(start));
    const auto samples = static_cast<std::size_t>(std::clamp(kTime_ns / whole_ns, kFewest, kMost));
    while (times.size() < samples) times.push_back(sample(way));
    return fastest(slowest_of_ranks(device_.bootstrap(), times));
  }

 private:
  static constexpr std::size_t kLine = 64;
  static constexpr double kTime_ns = 50e6;  // for the samples of a way
  static constexpr double kFewest = 5;
  static constexpr double kMost = 300;

  double sample(SumWay way) {
    auto* const values = reinterpret_cast<float*>(block_.input);
    std::fill_n(values, block_.bytes / sizeof(float), static_cast<float>(++samples_));
    const std::uint64_t read = read_through(block_.output, block_.bytes);
    device_.barrier();
    const Clock::time_point start = Clock::now();
    add(way);
    drained_.exchange(samples_);  // a full barrier: stores have left the core
    const double time_ns = ns_since(start);
    volatile std::uint64_t kept = read;  // the read has a purpose
    static_cast<void>(kept);
    device_.barrier();  // nobody writes what another still reads
    return time_ns;
  }

  void add(SumWay way) {
    if (way == SumWay::one_shot) {
      const std::vector<const std::byte*> whole(inputs_.begin(), inputs_.end());
      return reduction_.to_result(block_.output, {.partials = {}, .values = whole},
                                  block_.bytes / sizeof(float));
    }
    std::vector<const std::byte*> values;
    std::vector<std::byte*> targets;
    for (std::byte* input : inputs_) values.push_back(input + part_);
    for (std::byte* output : outputs_) targets.push_back(output + part_);
    const Terms terms{.partials = {}, .values = values};
    const std::size_t count = part_bytes_ / sizeof(float);
    if (way == SumWay::two_shot) {
      reduction_.to_result(targets, terms, count);
    } else {
      reduction_.to_result_streaming(targets, terms, count);
    }
  }

  HostDevice& device_;
  SumBlock block_;
  Reduction reduction_;
  std::size_t part_ = 0;  // of the block, from where on this rank reduces in two-shot
  std::size_t part_bytes_ = 0;
  std::vector<std::byte*> inputs_;   // by rank
  std::vector<std::byte*> outputs_;  // by rank
  int samples_ = 0;
  std::atomic<int> drained_ = 0;
};

}  // namespace

Fastest measure_latency(HostDevice& device, const PeerFlags& flags, int first_channel, std::uint64_t& pings) {
  const int edges = device.ranks() == 2 ? 1 : device.ranks();
  Fastest mine{std::numeric_limits<double>::infinity(), 0};
  for (int left = 0; left < edges; ++left) {
    const std::vector<double> trains = EdgeProbe(device, flags, first_channel, pings, left).run();
    if (trains.empty()) continue;
    const Fastest edge = fastest(trains);
    if (edge.time_ns < mine.time_ns) mine = edge;
  }
  return {slowest_of_ranks(device.bootstrap(), mine.time_ns),
          slowest_of_ranks(device.bootstrap(), mine.scatter)};
}

std::size_t sum_bytes(Bytes message) {
  constexpr Bytes kLeast = 64_KiB;
  return std::max(message, kLeast).count / 64 * 64;
}

SumBlock allocate_sum_block(Arena& arena, Bytes message) {
  const Bytes bytes{sum_bytes(message)};
  return {bytes.count, arena.allocate(bytes), arena.allocate(bytes)};
}

Fastest measure_fresh_sum(HostDevice& device, Bytes message) {
  const Bytes before = device.arena().used();
  const SumBlock block = allocate_sum_block(device.arena(), message);
  SumProbe probe(device, block);
  Fastest best;
  for (const SumWay way : {SumWay::one_shot, SumWay::two_shot, SumWay::two_shot_streaming}) {
    best = faster(best, probe.run(way));
  }
  device.arena().rewind(before);
  const double others = static_cast<double>(device.ranks() - 1) / device.ranks();
  best.time_ns /= 2 * others * static_cast<double>(block.bytes);
  return best;
}

}  // namespace ringside
