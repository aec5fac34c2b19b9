#include <fmt/format.h>

#include "base/text.hpp"
#include "base/units.hpp"
#include "doctor/check.hpp"

namespace ringside {
namespace {

constexpr double kMuch = 1ull << 30;

CheckOutcomes judge(const BoxFacts& facts) {
  CheckOutcomes outcomes;
  int known = 0;
  for (const std::string& gpu : gpu_names(facts)) {
    const auto used = facts.number(gpu + ".used_bytes");
    if (!used) continue;
    ++known;
    const std::string pids = facts.text_or(gpu + ".processes", "");
    if (*used < kMuch) continue;
    const std::string amount = format_bytes(Bytes{static_cast<std::uint64_t>(*used)});
    outcomes.push_back(
        pids.empty()
            ? check_hint(fmt::format("{} are in use by no process that can be seen: an earlier server may "
                                     "hang on it, or one in another container",
                                     amount),
                         "sudo fuser -v /dev/nvidia" + gpu.substr(4), {}, "GPU " + gpu.substr(4))
            : check_hint(fmt::format("{} are in use by process {}", amount, pids),
                         "end it, or give the server less memory", {}, "GPU " + gpu.substr(4)));
  }
  if (known == 0) return {check_unknown("the driver's management library gives no answer")};
  if (outcomes.empty()) outcomes.push_back(check_ok("no GPU has 1 GiB or more in use"));
  return outcomes;
}

const RegisterCheck registered{{.name = "foreign-memory",
                                .title = "is memory of the GPUs in use already",
                                .need = "a GPU",
                                .cost = "none",
                                .severity = Severity::warning,
                                .gpus = 1,
                                .source = "reports of out-of-memory ends of servers",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
