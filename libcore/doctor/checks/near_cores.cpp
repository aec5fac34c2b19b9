#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "doctor/check.hpp"
#include "machine/resources.hpp"

namespace ringside {
namespace {

CheckOutcomes judge(const BoxFacts& facts) {
  const auto allowed = facts.text("cpus.allowed");
  if (!allowed) return {check_unknown(facts.why("cpus.allowed"))};
  const std::vector<int> mine = parse_cpu_list(*allowed);
  CheckOutcomes outcomes;
  int known = 0;
  for (const std::string& gpu : gpu_names(facts)) {
    const auto local = facts.text(gpu + ".local_cpus");
    if (!local) continue;
    ++known;
    bool common = false;
    for (const int cpu : parse_cpu_list(*local))
      common = common || std::ranges::find(mine, cpu) != mine.end();
    if (common) continue;
    outcomes.push_back(
        check_hint(fmt::format("this process may use none of the cores near it (near: {}; allowed: {})",
                               *local, *allowed),
                   "start the container or job with cores of that NUMA node (docker --cpuset-cpus, numactl "
                   "--cpunodebind=" +
                       facts.text_or(gpu + ".numa_node", "N") + ")",
                   {}, "GPU " + gpu.substr(4)));
  }
  if (known == 0) return {check_unknown(facts.why("gpu.0.local_cpus"))};
  if (outcomes.empty()) outcomes.push_back(check_ok("cores near each GPU may be used"));
  return outcomes;
}

const RegisterCheck registered{{.name = "near-cores",
                                .title = "may this process use cores near the GPUs",
                                .need = "a GPU",
                                .cost = "none",
                                .severity = Severity::warning,
                                .gpus = 1,
                                .source = "sglang#6549",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
