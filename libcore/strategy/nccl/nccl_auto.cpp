// nccl-auto: NCCL as it comes, with whatever the user's environment says. What a server gets that does
// nothing about it. `:nomix` is the same for one graph at a time.
#include "strategy/nccl/nccl_strategy.hpp"
#include "strategy/registry.hpp"

namespace ringside {
namespace {

constexpr NcclSpec kAuto = {.name = "nccl-auto",
                            .family = "nccl-auto",
                            .summary = "NCCL's own choice of algorithm and protocol",
                            .algorithm = "",
                            .protocol = "",
                            .asks = "auto"};

constexpr NcclSpec kNoMix =
    for_one_graph(kAuto, "nccl-auto:nomix", "NCCL's own choice, for one graph at a time (no graph mixing)");

const RegisterStrategy<NcclMember<kAuto>> registered;
const RegisterStrategy<NcclMember<kNoMix>> no_mix;

}  // namespace
}  // namespace ringside
