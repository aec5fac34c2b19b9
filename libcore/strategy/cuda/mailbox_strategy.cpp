#include "strategy/cuda/mailbox_strategy.hpp"

#include "device/cuda/cuda_device.hpp"
#include "device/cuda/cuda_error.hpp"
#include "strategy/cuda/elements.hpp"
#include "strategy/cuda/peer_access.hpp"

namespace ringside {
namespace {

class MailboxCollective final : public PreparedCollective {
 public:
  MailboxCollective(CudaDevice& device, const Case& params, const MailboxKernel& kernel, bool dependent)
      : device_(device),
        kernel_(kernel),
        element_(kernel_element(params.dtype)),
        shape_(kernel.shape(params.bytes.count, params.ranks, device.multiprocessors())) {
    shape_.dependent = dependent;
    kernels::MailArguments& mail = arguments_.mail;
    mail.boxes.slot_bytes = kernel.slot_bytes(params.bytes.count, params.ranks);
    mail.boxes.rank = device.rank();
    mail.boxes.ranks = params.ranks;
    const std::byte* const memory =
        device.arena().allocate({kernels::mailbox_memory_bytes(params.ranks, mail.boxes.slot_bytes)});
    for (int r = 0; r < params.ranks; ++r) mail.boxes.memory[r] = device.arena().on_rank(r, memory);
    mail.count = params.count();
    mail.guard = device.meeting().guard();
    check_cuda(kernels::clear_mailboxes(mail.boxes, 0, device.stream()), "clearing the mailboxes");
    device.finish();
    device.exchange().barrier();  // no peer may send into mailboxes that their owner has not emptied
  }

  void enqueue(const std::byte* input, std::byte* output) override {
    arguments_.mail.input = input;
    arguments_.mail.output = output;
    for (int r = 0; r < arguments_.mail.boxes.ranks; ++r) {
      arguments_.outputs[r] = device_.arena().on_rank(r, output);
    }
    check_cuda(kernel_.launch(element_, arguments_, shape_, device_.stream()), kernel_.name);
  }

 private:
  CudaDevice& device_;
  const MailboxKernel& kernel_;
  kernels::Element element_;
  kernels::LaunchShape shape_;
  kernels::TwoShotArguments arguments_;
};

}  // namespace

std::optional<Finding> MailboxStrategy::admit(const Case& params, const AdmissionContext& context) const {
  if (auto refused = Strategy::admit(params, context)) return refused;
  if (auto refused = refuse_peer_kernel(params, context, kernels::kMaxMailRanks)) return refused;
  if (dependent_) return refuse_dependent_launch(params, context);
  return std::nullopt;
}

Bytes MailboxStrategy::scratch(const Case& params) const {
  return {kernels::mailbox_memory_bytes(params.ranks, kernel_.slot_bytes(params.bytes.count, params.ranks))};
}

std::unique_ptr<PreparedCollective> MailboxStrategy::prepare(RankDevice& device, const Case& params) const {
  return std::make_unique<MailboxCollective>(CudaDevice::of(device), params, kernel_, dependent_);
}

}  // namespace ringside
