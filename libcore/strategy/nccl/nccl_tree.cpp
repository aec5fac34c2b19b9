// nccl-tree: NCCL held to its tree, with the protocol of its choice or a given one. Inside one node NCCL's
// tree is a chain: up to the root and down again, 2(n-1) hops.
#include "strategy/nccl/nccl_strategy.hpp"
#include "strategy/registry.hpp"

namespace ringside {
namespace {

constexpr NcclSpec spec(std::string_view name, std::string_view summary, std::string_view protocol,
                        std::string_view asks) {
  return {.name = name,
          .family = "nccl-tree",
          .summary = summary,
          .algorithm = "tree",
          .protocol = protocol,
          .asks = asks};
}

constexpr NcclSpec kAny = spec("nccl-tree", "NCCL's tree, protocol of its choice", "", "TREE");
constexpr NcclSpec kLl = spec("nccl-tree:ll", "NCCL's tree, a flag beside every 4 bytes", "ll", "TREE/LL");
constexpr NcclSpec kLl128 =
    spec("nccl-tree:ll128", "NCCL's tree, a flag in every 128 bytes", "ll128", "TREE/LL128");
constexpr NcclSpec kSimple =
    spec("nccl-tree:simple", "NCCL's tree, chunks and fences", "simple", "TREE/SIMPLE");

const RegisterStrategy<NcclMember<kAny>> any;
const RegisterStrategy<NcclMember<kLl>> ll;
const RegisterStrategy<NcclMember<kLl128>> ll128;
const RegisterStrategy<NcclMember<kSimple>> simple;

}  // namespace
}  // namespace ringside
