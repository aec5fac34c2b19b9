// nccl-ring: NCCL held to its ring, with the protocol of its choice or a given one. Reduce-scatter, then
// all-gather, around the ring: 2(n-1) hops.
#include "strategy/nccl/nccl_strategy.hpp"
#include "strategy/registry.hpp"

namespace ringside {
namespace {

constexpr NcclSpec spec(std::string_view name, std::string_view summary, std::string_view protocol,
                        std::string_view asks) {
  return {.name = name,
          .family = "nccl-ring",
          .summary = summary,
          .algorithm = "ring",
          .protocol = protocol,
          .asks = asks};
}

constexpr NcclSpec kAny = spec("nccl-ring", "NCCL's ring, protocol of its choice", "", "RING");
constexpr NcclSpec kLl = spec("nccl-ring:ll", "NCCL's ring, a flag beside every 4 bytes", "ll", "RING/LL");
constexpr NcclSpec kLl128 =
    spec("nccl-ring:ll128", "NCCL's ring, a flag in every 128 bytes", "ll128", "RING/LL128");
constexpr NcclSpec kSimple =
    spec("nccl-ring:simple", "NCCL's ring, chunks and fences", "simple", "RING/SIMPLE");

const RegisterStrategy<NcclMember<kAny>> any;
const RegisterStrategy<NcclMember<kLl>> ll;
const RegisterStrategy<NcclMember<kLl128>> ll128;
const RegisterStrategy<NcclMember<kSimple>> simple;

}  // namespace
}  // namespace ringside
