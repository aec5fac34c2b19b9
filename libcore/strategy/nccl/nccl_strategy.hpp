#pragma once

#include <string>
#include <string_view>

#include "device/cuda/nccl/nccl_communicators.hpp"
#include "strategy/strategy.hpp"

namespace ringside {

// What makes one of NCCL's ways a strategy of its own.
struct NcclSpec {
  std::string_view name;
  std::string_view family;
  std::string_view summary;
  std::string_view algorithm;  // of NCCL_ALGO; empty: NCCL chooses
  std::string_view protocol;   // of NCCL_PROTO; empty: NCCL chooses
  bool windows = false;        // input and output lie in a symmetric window
  std::string_view asks;       // in the words of NCCL's tuning report
  int first_version = 0;       // of NCCL that has it, as NCCL codes versions
  bool one_graph = false;      // without support for several graphs at a time, or other calls beside one
};

// The same for one graph at a time.
constexpr NcclSpec for_one_graph(NcclSpec spec, std::string_view name, std::string_view summary) {
  spec.name = name;
  spec.summary = summary;
  spec.one_graph = true;
  return spec;
}

// ncclAllReduce with what the spec asks for.
class NcclStrategy : public Strategy {
 public:
  explicit NcclStrategy(const NcclSpec& spec) : spec_(spec) {}

  std::string_view name() const final { return spec_.name; }
  std::string_view family() const final { return spec_.family; }
  std::string_view summary() const final { return spec_.summary; }
  DeviceKind device() const final { return DeviceKind::cuda; }
  Numerics numerics() const final;
  std::optional<std::string> asks() const final { return std::string(spec_.asks); }
  std::optional<std::string> setting(const AdmissionContext& context) const final;
  std::vector<std::pair<std::string, std::string>> environment(const AdmissionContext& context) const final;
  std::optional<Finding> admit(const Case& params, const AdmissionContext& context) const override;
  void allocate(Arena&, const Case&) const final {}
  std::unique_ptr<PreparedCollective> prepare(RankDevice& device, const Case& params) const final;
  Estimate estimate(const Case& params, const MachineProfile& machine) const final;

 private:
  NcclSpec spec_;
};

// A strategy without rules of its own: `static const RegisterStrategy<NcclMember<kSpec>> registered;`
template <const NcclSpec& Spec>
struct NcclMember final : NcclStrategy {
  NcclMember() : NcclStrategy(Spec) {}
};

}  // namespace ringside
