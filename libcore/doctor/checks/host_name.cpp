#include <fmt/format.h>

#include "base/text.hpp"
#include "base/units.hpp"
#include "doctor/check.hpp"

namespace ringside {
namespace {

CheckOutcomes judge(const BoxFacts& facts) {
  const auto name = facts.text("net.host_name");
  if (!name) return {check_unknown(facts.why("net.host_name"))};
  const auto addresses = facts.text("net.host_addresses");
  if (!addresses) return {check_unknown(facts.why("net.host_addresses"))};
  const std::string remedy = fmt::format(
      "put an address of this host into /etc/hosts for '{0}', or name an interface: export "
      "GLOO_SOCKET_IFNAME=NAME (interfaces here: {1}; one plain name, NCCL's ^ and = are not understood)",
      *name, facts.text_or("net.interfaces", "not known"));
  if (addresses->empty()) {
    return {check_hint(fmt::format("the host name '{}' has no address", *name), remedy,
                       {facts.text_or("net.host_name_problem", "")})};
  }
  bool loopback = true;
  for (const std::string& address : split(*addresses, ','))
    loopback = loopback && (address.starts_with("127.") || address == "::1");
  if (!loopback) return {check_ok(fmt::format("the host name '{}' is {}", *name, *addresses))};
  if (facts.text("env.GLOO_SOCKET_IFNAME"))
    return {
        check_ok(fmt::format("the host name '{}' is {}, and GLOO_SOCKET_IFNAME is set", *name, *addresses))};
  return {check_hint(
      fmt::format("the host name '{}' is {}: Gloo binds there, and other hosts can't reach it; on one "
                  "host that works",
                  *name, *addresses),
      remedy)};
}

const RegisterCheck registered{{.name = "host-name",
                                .title = "does the host name lead to an address that others can reach",
                                .need = "",
                                .cost = "a question to the resolver",
                                .severity = Severity::warning,
                                .source = "sglang#3226, vllm#7074",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
