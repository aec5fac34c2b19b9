// symmetric-lsa: the one-shot pull of custom-pull, over NCCL's device API (kernels/symmetric_lsa.cu).
#include <fmt/format.h>
#include <nccl_device.h>

#include "device/cuda/cuda_error.hpp"
#include "kernels/symmetric_lsa.hpp"
#include "machine/versions.hpp"
#include "strategy/cost.hpp"
#include "strategy/cuda/elements.hpp"
#include "strategy/nccl/nccl_strategy.hpp"
#include "strategy/registry.hpp"

namespace ringside {
namespace {

ncclDevCommRequirements requirements() {
#ifdef NCCL_DEV_COMM_REQUIREMENTS_INITIALIZER
  ncclDevCommRequirements needed = NCCL_DEV_COMM_REQUIREMENTS_INITIALIZER;
#else
  ncclDevCommRequirements needed{};
#endif
  needed.lsaBarrierCount = kernels::kLsaMaxBlocks;
  return needed;
}

// The device communicator on the communicator with windows. A companion of the device, so it is made after
// that one and destroyed before it.
class LsaCommunicator {
 public:
  explicit LsaCommunicator(CudaDevice& device)
      : communicators_(device.companion<NcclCommunicators>()),
        communicator_(communicators_.get({.algorithm = "", .protocol = "", .windows = true})) {
    const NcclLibrary& library = communicators_.library();
    const ncclDevCommRequirements needed = requirements();
    library.check(library.api().dev_comm_create(communicator_.get(), &needed, &dev_comm_),
                  "ncclDevCommCreate", communicator_.get());
    if (dev_comm_.lsaSize != device.ranks()) {
      library.api().dev_comm_destroy(communicator_.get(), &dev_comm_);
      throw UnavailableError(fmt::format("NCCL lets only {} of {} ranks reach each other's memory",
                                         dev_comm_.lsaSize, device.ranks()));
    }
  }
  LsaCommunicator(const LsaCommunicator&) = delete;
  LsaCommunicator& operator=(const LsaCommunicator&) = delete;
  ~LsaCommunicator() {
    if (communicator_.get() != nullptr) {
      communicators_.library().api().dev_comm_destroy(communicator_.get(), &dev_comm_);
    }
  }

  const ncclDevComm& dev_comm() const { return dev_comm_; }
  void* window() const { return communicator_.window(); }

 private:
  NcclCommunicators& communicators_;
  NcclCommunicator& communicator_;
  ncclDevComm dev_comm_{};
};

class LsaAllReduce final : public PreparedCollective {
 public:
  LsaAllReduce(CudaDevice& device, const LsaCommunicator& communicator, const Case& params)
      : device_(device),
        communicator_(communicator),
        element_(kernel_element(params.dtype)),
        blocks_(kernels::lsa_blocks(params.bytes.count)) {
    arguments_.window = communicator.window();
    arguments_.count = params.count();
    arguments_.ranks = params.ranks;
    arguments_.guard = device.start_barrier().guard();
  }

  void enqueue(const std::byte* input, std::byte* output) override {
    arguments_.input_offset = offset(input);
    arguments_.output_offset = offset(output);
    kernels::launch_symmetric_lsa(element_, communicator_.dev_comm(), arguments_, blocks_, device_.stream());
    check_launch("symmetric_lsa");
  }

 private:
  std::size_t offset(const std::byte* address) const {
    return static_cast<std::size_t>(address -
                                    device_.memory().bases()[static_cast<std::size_t>(device_.rank())]);
  }

  CudaDevice& device_;
  const LsaCommunicator& communicator_;
  kernels::Element element_;
  int blocks_;
  kernels::LsaArguments arguments_;
};

class SymmetricLsa final : public Strategy {
 public:
  std::string_view name() const override { return "symmetric-lsa"; }
  std::string_view family() const override { return "symmetric-lsa"; }
  std::string_view summary() const override { return "one-shot pull over NCCL's device API"; }
  DeviceKind device() const override { return DeviceKind::cuda; }
  Numerics numerics() const override {
    return {.rank_order = true, .single_rounding = true, .bitwise_across_ranks = true};
  }

  std::optional<Finding> admit(const Case& params, const AdmissionContext& context) const override {
    if (auto refused = Strategy::admit(params, context)) return refused;
    if (context.gpus == nullptr) return not_admitted(params, "no GPUs have been looked at");
    const NcclFacts& nccl = context.gpus->nccl;
    if (!nccl.problem.empty()) {
      return not_admitted(params, "no NCCL library could be opened: " + nccl.problem,
                          "name one with --nccl-lib");
    }
    // Kernel and library share structures that change even from 2.28.3 to 2.28.9.
    if (nccl.version != NCCL_VERSION_CODE) {
      return not_admitted(
          params,
          fmt::format("the library is NCCL {}, but this binary was built for the device API of {}",
                      nccl_version_text(nccl.version), nccl_version_text(NCCL_VERSION_CODE)),
          "build ringside with that version's headers, or name another library with --nccl-lib");
    }
    if (params.ranks > kernels::kLsaMaxRanks) {
      return not_admitted(params, fmt::format("the kernel takes at most {} ranks", kernels::kLsaMaxRanks));
    }
    if (!all_pairs_reach(*context.gpus)) {
      return not_admitted(params, "not every GPU can reach every other one's memory");
    }
    return std::nullopt;
  }

  void allocate(Arena&, const Case&) const override {}

  std::unique_ptr<PreparedCollective> prepare(RankDevice& device, const Case& params) const override {
    CudaDevice& cuda = CudaDevice::of(device);
    return std::make_unique<LsaAllReduce>(cuda, cuda.companion<LsaCommunicator>(), params);
  }

  Estimate estimate(const Case& params, const MachineProfile& machine) const override {
    const double n = params.ranks;
    return estimate_cost(machine, 2, (n - 1) * static_cast<double>(params.bytes.count),
                         "2 steps + (n-1) x bytes / bandwidth");
  }
};

const RegisterStrategy<SymmetricLsa> registered;

}  // namespace
}  // namespace ringside
