#include <fmt/format.h>

#include "base/text.hpp"
#include "base/units.hpp"
#include "doctor/check.hpp"

namespace ringside {
namespace {

CheckOutcomes judge(const BoxFacts& facts) {
  if (!facts.flag("environment.read"))
    return {check_unknown("the environment: " + facts.why("environment.read"))};
  if (!facts.text("nccl.conf.etc")) return {check_unknown("/etc/nccl.conf: " + facts.why("nccl.conf.etc"))};
  CheckOutcomes outcomes;
  for (const auto& [name, path] :
       {std::pair{"nccl.conf.etc", "/etc/nccl.conf"}, {"nccl.conf.home", "~/.nccl.conf"}}) {
    const std::string settings = facts.text_or(name, "");
    if (settings.empty()) continue;
    outcomes.push_back(check_hint(fmt::format("{} changes NCCL in every process: {}", path, settings),
                                  fmt::format("look whether that is meant; else move {} away", path), {},
                                  path));
  }
  for (const char* variable :
       {"NCCL_CONF_FILE", "NCCL_NET_PLUGIN", "NCCL_TUNER_PLUGIN", "NCCL_PROFILER_PLUGIN", "NCCL_ALGO",
        "NCCL_PROTO", "NCCL_MAX_NCHANNELS", "NCCL_P2P_LEVEL"}) {
    const auto value = facts.text(std::string("env.") + variable);
    if (!value) continue;
    outcomes.push_back(check_hint(fmt::format("{}={} changes what NCCL chooses by itself", variable, *value),
                                  fmt::format("look whether that is meant; else unset {}", variable), {},
                                  variable));
  }
  if (outcomes.empty())
    outcomes.push_back(check_ok("no file and no variable changes what NCCL chooses by itself"));
  return outcomes;
}

const RegisterCheck registered{{.name = "nccl-settings",
                                .title = "does something change NCCL for every process",
                                .need = "",
                                .cost = "none",
                                .severity = Severity::warning,
                                .source = "NCCL 2.30 src/misc/param.cc",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
