// nccl-alltoall: NCCL's all-to-all. A group of sends and receives, one pair for each peer, works with every
// NCCL and with parts of any size; ncclAlltoAll (2.28) takes even parts only.
#include <algorithm>
#include <vector>

#include "strategy/cost.hpp"
#include "strategy/nccl/nccl_strategy.hpp"
#include "strategy/nccl/nccl_types.hpp"
#include "strategy/registry.hpp"

namespace ringside {
namespace {

class NcclExchange final : public PreparedCollective {
 public:
  NcclExchange(CudaDevice& device, const NcclLibrary& library, NcclCommunicator& communicator,
               const Case& params, bool one_call)
      : device_(device),
        library_(library),
        communicator_(communicator),
        type_(nccl_type(params.dtype)),
        size_(element_size(params.dtype)),
        borders_(part_borders(params)),
        one_call_(one_call) {}

  void enqueue(const std::byte* input, std::byte* output) override {
    const NcclApi& api = library_.api();
    if (one_call_) {
      check(api.all_to_all(input, output, borders_[1], type_, communicator_.get(), device_.stream()),
            "ncclAlltoAll");
      return;
    }
    const auto mine = static_cast<std::size_t>(device_.rank());
    const std::size_t received = borders_[mine + 1] - borders_[mine];
    check(api.group_start(), "ncclGroupStart");
    for (int peer = 0; peer < device_.ranks(); ++peer) {
      const auto to = static_cast<std::size_t>(peer);
      const std::size_t sent = borders_[to + 1] - borders_[to];
      if (sent > 0) {
        check(
            api.send(input + borders_[to] * size_, sent, type_, peer, communicator_.get(), device_.stream()),
            "ncclSend");
      }
      if (received > 0) {
        check(api.receive(output + to * received * size_, received, type_, peer, communicator_.get(),
                          device_.stream()),
              "ncclRecv");
      }
    }
    check(api.group_end(), "ncclGroupEnd");
  }

 private:
  void check(ncclResult_t result, const char* call) const {
    library_.check(result, call, communicator_.get());
  }

  CudaDevice& device_;
  const NcclLibrary& library_;
  NcclCommunicator& communicator_;
  ncclDataType_t type_;
  std::size_t size_;
  std::vector<std::size_t> borders_;
  bool one_call_;
};

template <bool OneCall>
class NcclAllToAll final : public Strategy {
 public:
  std::string_view name() const override { return OneCall ? "nccl-alltoall:call" : "nccl-alltoall"; }
  std::string_view family() const override { return "nccl-alltoall"; }
  std::string_view summary() const override {
    return OneCall ? "all-to-all: ncclAlltoAll, for even parts"
                   : "all-to-all: NCCL's sends and receives in a group";
  }
  DeviceKind device() const override { return DeviceKind::cuda; }
  Collective collective() const override { return Collective::alltoall; }
  Numerics numerics() const override { return {}; }
  void allocate(Arena&, const Case&) const override {}

  std::optional<Finding> admit(const Case& params, const AdmissionContext& context) const override {
    if (auto refused = Strategy::admit(params, context)) return refused;
    if (context.gpus == nullptr) return not_admitted(params, "no GPUs have been looked at");
    const NcclFacts& nccl = context.gpus->nccl;
    if (!nccl.problem.empty()) {
      return not_admitted(params, "no NCCL library could be opened: " + nccl.problem,
                          "name one with --nccl-lib");
    }
    if (!OneCall) return std::nullopt;
    if (std::ranges::count(nccl.missing, "ncclAlltoAll") > 0)
      return not_admitted(params, "this NCCL has no ncclAlltoAll (2.28 and later have)");
    if (!params.load.empty() || params.count() % static_cast<std::size_t>(params.ranks) != 0)
      return not_admitted(params, "ncclAlltoAll takes even parts only");
    return std::nullopt;
  }

  std::unique_ptr<PreparedCollective> prepare(RankDevice& device, const Case& params) const override {
    CudaDevice& cuda = CudaDevice::of(device);
    auto& communicators = cuda.companion<NcclCommunicators>();
    return std::make_unique<NcclExchange>(cuda, communicators.library(), communicators.get({}), params,
                                          OneCall);
  }

  Estimate estimate(const Case& params, const MachineProfile& machine) const override {
    return estimate_cost(machine, 2 * (params.ranks - 1), alltoall_wire_bytes(params),
                         "2(n-1) steps + the fullest rank's bytes / bandwidth", machine.nccl_step_ns);
  }
};

const RegisterStrategy<NcclAllToAll<false>> grouped;
const RegisterStrategy<NcclAllToAll<true>> one_call;

}  // namespace
}  // namespace ringside
