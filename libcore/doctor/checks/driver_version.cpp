#include <fmt/format.h>

#include "base/text.hpp"
#include "base/units.hpp"
#include "doctor/check.hpp"

namespace ringside {
namespace {

CheckOutcomes judge(const BoxFacts& facts) {
  const auto driver = facts.number("driver.cuda");
  const auto runtime = facts.number("runtime.cuda");
  if (!driver) return {check_unknown("no driver answered: " + facts.why("gpus.count"))};
  if (!runtime) return {check_unknown(facts.why("runtime.cuda"))};
  const int d = static_cast<int>(*driver);
  const int r = static_cast<int>(*runtime);
  const auto text = [](int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); };
  if (d / 1000 >= r / 1000)
    return {
        check_ok(fmt::format("the driver supports CUDA {}; this tool was built with {}", text(d), text(r)))};
  return {check_error(
      fmt::format("the driver supports CUDA {} at most; this tool was built with {}", text(d), text(r)),
      "a newer driver, or a build with an older toolkit")};
}

const RegisterCheck registered{{.name = "driver-version",
                                .title = "is the driver new enough for the toolkit",
                                .need = "a GPU",
                                .cost = "none",
                                .severity = Severity::error,
                                .source = "CUDA's compatibility rules",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
