#include <fmt/format.h>

#include "base/text.hpp"
#include "base/units.hpp"
#include "doctor/check.hpp"

namespace ringside {
namespace {

CheckOutcomes judge(const BoxFacts& facts) {
  const auto library = facts.text("lib.cuda");
  if (!library) return {check_unknown(facts.why("lib.cuda"))};
  if (library->find("/compat/") == std::string::npos)
    return {check_ok("libcuda is the driver's: " + *library)};
  return {check_hint(
      fmt::format("libcuda comes from a compatibility folder: {}", *library),
      "take the compat folder out of LD_LIBRARY_PATH and /etc/ld.so.conf.d unless the driver is older "
      "than CUDA; with GeForce GPUs, or a driver that is newer, CUDA fails with 803 or 804",
      {"module: " + facts.text_or("driver.module", facts.why("driver.module"))})};
}

const RegisterCheck registered{{.name = "libcuda",
                                .title = "is libcuda the driver's own",
                                .need = "",
                                .cost = "none",
                                .severity = Severity::warning,
                                .source = "llm-d#706, nixl#441",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
