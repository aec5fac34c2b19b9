// Strategies of the host device that only tests use, in a program of their own (ringside_two_groups): rings
// whose ranks need a variable in their environment, as NCCL's rows without graph mixing do, and a ring that
// must not have it.
#include <cstdlib>
#include <string>

#include "base/errors.hpp"
#include "strategy/registry.hpp"

namespace ringside {
namespace {

constexpr const char* kVariable = "RINGSIDE_TEST_SETTING";

class EnvironmentRing : public Strategy {
 public:
  EnvironmentRing(std::string_view name, bool needs) : name_(name), needs_(needs) {}
  std::string_view name() const override { return name_; }
  std::string_view family() const override { return "environment-ring"; }
  std::string_view summary() const override { return "a ring in ranks with a variable, for tests"; }
  DeviceKind device() const override { return DeviceKind::host; }
  Numerics numerics() const override { return ring().numerics(); }
  std::optional<std::string> setting(const AdmissionContext&) const override {
    return needs_ ? std::optional(std::string(kVariable) + "=on") : std::nullopt;
  }
  std::vector<std::pair<std::string, std::string>> environment(const AdmissionContext&) const override {
    if (!needs_) return {};
    return {{kVariable, "on"}};
  }
  void allocate(Arena& arena, const Case& params) const override { ring().allocate(arena, params); }
  std::unique_ptr<PreparedCollective> prepare(RankDevice& device, const Case& params) const override {
    const char* const value = std::getenv(kVariable);
    const std::string found = value == nullptr ? "" : value;
    if (found != (needs_ ? "on" : ""))
      throw InternalError("the variable of " + name_ + " is '" + found + "'");
    return ring().prepare(device, params);
  }
  Estimate estimate(const Case& params, const MachineProfile& machine) const override {
    return ring().estimate(params, machine);
  }

 private:
  static const Strategy& ring() { return *find_strategy("ring", DeviceKind::host); }

  std::string name_;
  bool needs_;
};

struct Plain final : EnvironmentRing {
  Plain() : EnvironmentRing("environment-ring", false) {}
};
struct Needing final : EnvironmentRing {
  Needing() : EnvironmentRing("environment-ring:on", true) {}
};

const RegisterStrategy<Plain> plain;
const RegisterStrategy<Needing> needing;

}  // namespace
}  // namespace ringside
