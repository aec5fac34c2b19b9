// direct: an all-to-all in which every rank stores its parts where the peers want them.
//
// Memory order. Two flags per pair of ranks and call. A rank posts `ready` when its output may be written
// (release: its caller has read what an earlier call left there); a peer writes only behind its wait
// (acquire). A rank posts `done` to a peer when it has written that peer's part (release); a rank returns
// only behind the `done` of all, so it sees every part. Only the owner reads an input, so it may be
// overwritten when the call returns. Flags count calls and never go back; every wait is for a post that the
// peer makes without waiting for anything but the same call's earlier posts.
#include <cstring>
#include <vector>

#include "device/host/host_device.hpp"
#include "strategy/cost.hpp"
#include "strategy/host/scratch.hpp"
#include "strategy/registry.hpp"

namespace ringside {
namespace {

constexpr int kReady = 0;
constexpr int kDone = 1;
constexpr int kChannels = 2;

class DirectExchange final : public PreparedCollective {
 public:
  // `flags`: from allocate_flags().
  DirectExchange(HostDevice& device, const Case& params, std::byte* flags)
      : arena_(device.arena()),
        rank_(device.rank()),
        ranks_(device.ranks()),
        size_(element_size(params.dtype)),
        borders_(part_borders(params)),
        flags_(device.make_flags(flags, kChannels)) {}

  void enqueue(const std::byte* input, std::byte* output) override {
    ++call_;
    flags_.post_all(kReady, call_);
    send(rank_, input, output);
    for (int i = 1; i < ranks_; ++i) {
      const int peer = (rank_ + i) % ranks_;  // not all to the same one first
      flags_.wait(kReady, peer, call_);
      send(peer, input, output);
      flags_.post(kDone, peer, call_);
    }
    flags_.wait_all(kDone, call_);
  }

 private:
  void send(int peer, const std::byte* input, std::byte* output) const {
    const auto to = static_cast<std::size_t>(peer);
    const std::size_t bytes = (borders_[to + 1] - borders_[to]) * size_;
    if (bytes == 0) return;
    std::memcpy(arena_.on_rank(peer, output) + static_cast<std::size_t>(rank_) * bytes,
                input + borders_[to] * size_, bytes);
  }

  const Arena& arena_;
  int rank_;
  int ranks_;
  std::size_t size_;
  std::vector<std::size_t> borders_;
  PeerFlags flags_;
  std::uint64_t call_ = 0;
};

class Direct final : public Strategy {
 public:
  std::string_view name() const override { return "direct"; }
  std::string_view family() const override { return "direct"; }
  std::string_view summary() const override {
    return "all-to-all: each rank stores its parts in its peers' outputs";
  }
  DeviceKind device() const override { return DeviceKind::host; }
  Collective collective() const override { return Collective::alltoall; }
  Numerics numerics() const override { return {}; }
  void allocate(Arena& arena, const Case&) const override { allocate_flags(arena, kChannels); }

  std::unique_ptr<PreparedCollective> prepare(RankDevice& device, const Case& params) const override {
    HostDevice& host = as_host(device);
    std::byte* const flags = allocate_flags(host.arena(), kChannels);
    auto prepared = std::make_unique<DirectExchange>(host, params, flags);
    host.bootstrap().barrier();
    return prepared;
  }

  Estimate estimate(const Case& params, const MachineProfile& machine) const override {
    return estimate_cost(machine, 2, alltoall_wire_bytes(params),
                         "2 x step + the fullest rank's bytes / bandwidth");
  }
};

const RegisterStrategy<Direct> registered;

}  // namespace
}  // namespace ringside
