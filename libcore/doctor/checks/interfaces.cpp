#include <fmt/format.h>

#include "base/text.hpp"
#include "base/units.hpp"
#include "doctor/check.hpp"

namespace ringside {
namespace {

// As NCCL matches NCCL_SOCKET_IFNAME: a list of prefixes; = in front for whole names, ^ for those not to be
// used.
bool matches(const std::string& pattern, const std::string& interface) {
  const bool exclude = pattern.starts_with("^");
  std::string rest = pattern.substr(exclude ? 1 : 0);
  const bool exact = rest.starts_with("=");
  if (exact) rest.erase(0, 1);
  bool found = false;
  for (const std::string& name : split(rest, ','))
    found = found || (exact ? interface == name : !name.empty() && interface.starts_with(name));
  return found != exclude;
}

CheckOutcomes judge(const BoxFacts& facts) {
  const auto interfaces = facts.text("net.interfaces");
  if (!interfaces) return {check_unknown(facts.why("net.interfaces"))};
  if (!facts.flag("environment.read"))
    return {check_unknown("the environment: " + facts.why("environment.read"))};
  CheckOutcomes outcomes;
  for (const char* variable : {"NCCL_SOCKET_IFNAME", "GLOO_SOCKET_IFNAME", "TP_SOCKET_IFNAME"}) {
    const auto value = facts.text(std::string("env.") + variable);
    if (!value || value->empty()) continue;
    const bool nccl = std::string_view(variable) == "NCCL_SOCKET_IFNAME";
    bool found = false;
    for (const std::string& interface : split(*interfaces, ','))
      found = found || (nccl ? matches(*value, interface) : interface == *value);
    if (found) {
      outcomes.push_back(
          check_ok(fmt::format("{}={} names an interface that is up", variable, *value), variable));
    } else {
      outcomes.push_back(check_error(
          fmt::format("{}={} matches no interface that is up here ({})", variable, *value, *interfaces),
          fmt::format("unset {}, or name one of {}", variable, *interfaces), {}, variable));
    }
  }
  if (outcomes.empty())
    outcomes.push_back(check_ok("no variable asks for a network interface; up are " + *interfaces));
  return outcomes;
}

const RegisterCheck registered{{.name = "interfaces",
                                .title = "do the variables that name network interfaces name some",
                                .need = "",
                                .cost = "none",
                                .severity = Severity::error,
                                .source = "NCCL 2.30 src/misc/socket.cc, vllm#6370",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
