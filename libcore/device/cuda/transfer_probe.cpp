#include "device/cuda/transfer_probe.hpp"

#include <algorithm>

#include "device/cuda/cuda_error.hpp"
#include "kernels/link_probe.hpp"

namespace ringside {
namespace {

constexpr std::size_t kVector = 16;
constexpr Bytes kLeast = 16_MiB;     // some 8 vectors for each thread of a large GPU
constexpr Bytes kStreamed = 64_MiB;  // what a node moves at least, in whole passes, on a fast link
constexpr double kNode_ns = 200e3;   // on a slower one a node moves what takes so long
constexpr int kNodes = 4;
constexpr int kLongNodes = 2;          // where a node takes longer than
constexpr double kLongNode_ns = 3e6;   // this
constexpr double kSearched_ns = 10e6;  // links on which a node takes longer are measured in one shape
constexpr int kTries = 3;
constexpr int kRepetitions = 10;
constexpr double kWorse = 1.1;  // fewer SMs that take so much longer end the search for how many

using kernels::LinkDirection;
using kernels::TransferShape;

std::size_t peers_of(int ranks) {
  return static_cast<std::size_t>(std::max(ranks - 1, 1));
}

class TransferProbe {
 public:
  TransferProbe(CudaDevice& device, Bytes message, double node_gap_ns)
      : device_(device), node_gap_ns_(node_gap_ns), before_(device.arena().used()) {
    Arena& arena = device.arena();
    const ProbeBlock block = allocate_probe_block(arena, message);
    per_peer_ = block.per_peer;
    for (int step = 1; step < device.ranks(); ++step) {
      // Neighbours differ from rank to rank, and each writer has a part of its own in its target's block.
      const int peer = (device.rank() + step) % device.ranks();
      buffers_.data[buffers_.peers++] =
          arena.on_rank(peer, block.data) + static_cast<std::size_t>(step - 1) * per_peer_;
    }
  }
  TransferProbe(const TransferProbe&) = delete;
  TransferProbe& operator=(const TransferProbe&) = delete;
  ~TransferProbe() { device_.arena().rewind(before_); }

  Fastest run() {
    const TransferShape whole{device_.multiprocessors(), 1024, 4};
    choose_length(whole);
    Fastest best;
    for (const LinkDirection direction : {LinkDirection::store, LinkDirection::load}) {
      const TransferShape shape = node_ns_ < kSearched_ns ? search(direction, whole) : whole;
      best = faster(best, measure(direction, shape, kRepetitions));
    }
    best.time_ns /= bytes_in_node() * nodes_;
    return best;
  }

 private:
  double bytes_in_node() const { return static_cast<double>(per_peer_ * buffers_.peers) * passes_; }

  void choose_length(const TransferShape& shape) {
    const double pass_ns = measure(LinkDirection::store, shape, kTries).time_ns;
    const auto most = static_cast<int>(
        std::max<std::uint64_t>(1, kStreamed.count / (per_peer_ * static_cast<std::size_t>(buffers_.peers))));
    passes_ = std::clamp(static_cast<int>(kNode_ns / pass_ns), 1, most);
    node_ns_ = pass_ns * passes_;
    nodes_ = node_ns_ > kLongNode_ns ? kLongNodes : kNodes;
  }

  // Coordinate by coordinate: how many vectors, threads, SMs; twice as many blocks as SMs first.
  TransferShape search(LinkDirection direction, TransferShape shape) {
    double best_ns = measure(direction, shape, kTries).time_ns;
    const auto improves = [&](const TransferShape& other) {
      const double time_ns = measure(direction, other, kTries).time_ns;
      const bool worse = time_ns > kWorse * best_ns;
      if (time_ns < best_ns) {
        best_ns = time_ns;
        shape = other;
      }
      return !worse;
    };
    for (const int unroll : {1, 8}) improves({shape.blocks, shape.threads, unroll});
    for (const int threads : {256, 512}) improves({shape.blocks, threads, shape.unroll});
    const int all = device_.multiprocessors();
    improves({2 * all, shape.threads, shape.unroll});
    for (int blocks = all / 2; blocks >= 1; blocks /= 2) {
      if (!improves({blocks, shape.threads, shape.unroll})) break;
    }
    return shape;
  }

  // Of all nodes of a graph.
  Fastest measure(LinkDirection direction, const TransferShape& shape, int repetitions) {
    const auto graph = device_.make_workload(Mode::graph, [&] {
      for (int node = 0; node < nodes_; ++node) {
        kernels::launch_transfer(direction, buffers_, per_peer_, passes_, shape, device_.stream());
        check_launch("transfer");
      }
    });
    std::vector<double> times(static_cast<std::size_t>(repetitions));
    graph->repeat(times);
    for (double& time_ns : times) time_ns = std::max(1.0, time_ns - nodes_ * node_gap_ns_);
    return fastest(slowest_of_ranks(device_.bootstrap(), times));
  }

  CudaDevice& device_;
  double node_gap_ns_;
  Bytes before_;
  std::size_t per_peer_ = 0;
  kernels::PeerBuffers buffers_;
  int passes_ = 1;
  int nodes_ = 1;
  double node_ns_ = 0;
};

}  // namespace

std::size_t transfer_bytes(int ranks, Bytes message) {
  return std::max(message, kLeast).count / peers_of(ranks) / kVector * kVector;
}

ProbeBlock allocate_probe_block(Arena& arena, Bytes message) {
  const std::size_t per_peer = transfer_bytes(arena.ranks(), message);
  return {per_peer, arena.allocate({per_peer * peers_of(arena.ranks())})};
}

Fastest measure_transfer(CudaDevice& device, Bytes message, double node_gap_ns) {
  return TransferProbe(device, message, node_gap_ns).run();
}

}  // namespace ringside
