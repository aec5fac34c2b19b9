// nccl-auto: NCCL as it comes, with whatever the user's environment says. What a server gets that does
// nothing about it.
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

const RegisterStrategy<NcclMember<kAuto>> registered;

}  // namespace
}  // namespace ringside
