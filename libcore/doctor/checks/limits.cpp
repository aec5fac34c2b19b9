#include <fmt/format.h>

#include "base/text.hpp"
#include "base/units.hpp"
#include "doctor/check.hpp"

namespace ringside {
namespace {

CheckOutcomes judge(const BoxFacts& facts) {
  CheckOutcomes outcomes;
  const int gpus = facts.count("gpus.count");
  const double files = facts.number("limit.nofile").value_or(0);
  if (const auto text = facts.text("limit.nofile"); !text) {
    outcomes.push_back(check_unknown(facts.why("limit.nofile"), "open files"));
  } else if (*text == "unlimited" || files >= 65536 || (gpus <= 8 && files >= 1024)) {
    outcomes.push_back(check_ok(fmt::format("{} open files are allowed", *text), "open files"));
  } else {
    outcomes.push_back(check_hint(fmt::format("only {} open files are allowed", *text), "ulimit -n 1048576",
                                  {}, "open files"));
  }
  const auto processes = facts.text("cgroup.pids_max");
  if (!processes) return outcomes;  // there is no such limit
  const double most = facts.number("cgroup.pids_max").value_or(1e9);
  if (most >= 4096) {
    outcomes.push_back(
        check_ok(fmt::format("{} processes and threads are allowed", *processes), "processes"));
  } else {
    outcomes.push_back(check_hint(fmt::format("only {} processes and threads are allowed", *processes),
                                  "docker run --pids-limit=-1", {}, "processes"));
  }
  return outcomes;
}

const RegisterCheck registered{{.name = "limits",
                                .title = "are enough files, processes and threads allowed",
                                .need = "",
                                .cost = "none",
                                .severity = Severity::warning,
                                .source = "nccl#1191",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
