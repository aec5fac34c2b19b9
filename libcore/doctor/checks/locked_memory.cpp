#include <fmt/format.h>

#include "base/text.hpp"
#include "base/units.hpp"
#include "doctor/check.hpp"

namespace ringside {
namespace {

CheckOutcomes judge(const BoxFacts& facts) {
  const auto limit = facts.text("limit.memlock");
  if (!limit) return {check_unknown(facts.why("limit.memlock"))};
  const auto verbs = facts.flag("rdma.verbs_files");
  if (!verbs)
    return {check_unknown("whether there are RDMA devices is not known: " + facts.why("rdma.verbs_files"))};
  if (!*verbs) return {check_ok("no RDMA device is used here, so locked memory does not matter")};
  if (*limit == "unlimited") return {check_ok("locked memory is unlimited")};
  return {
      check_hint(fmt::format("only {} bytes may be locked: RDMA registers its buffers", *limit),
                 "docker run --ulimit memlock=-1 --cap-add=IPC_LOCK; on the host /etc/security/limits.conf, "
                 "in a systemd unit LimitMEMLOCK=infinity",
                 {"hard limit " + facts.text_or("limit.memlock_hard", "not known")})};
}

const RegisterCheck registered{{.name = "locked-memory",
                                .title = "may RDMA lock its buffers",
                                .need = "",
                                .cost = "none",
                                .severity = Severity::warning,
                                .source = "nccl-tests#206, nccl#1191",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
