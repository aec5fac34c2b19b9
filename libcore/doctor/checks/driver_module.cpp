#include <fmt/format.h>

#include "base/text.hpp"
#include "base/units.hpp"
#include "doctor/check.hpp"

namespace ringside {
namespace {

CheckOutcomes judge(const BoxFacts& facts) {
  const auto module = facts.text("driver.module");
  if (!module) return {check_unknown(facts.why("driver.module"))};
  const auto library = facts.text("driver.version");
  if (!library) {
    const std::string why = facts.why("driver.version");
    if (why.find("gave error 18") != std::string::npos) {
      return {check_error("the kernel's NVIDIA module and the driver's libraries have different versions",
                          "reboot, or unload the nvidia modules and load them again", {*module, why})};
    }
    return {check_unknown(why)};
  }
  if (module->find(*library) != std::string::npos)
    return {check_ok(fmt::format("module and libraries of the driver are {}", *library))};
  return {check_error(fmt::format("the driver's libraries are {}, the kernel's module is another", *library),
                      "reboot, or unload the nvidia modules and load them again", {*module})};
}

const RegisterCheck registered{{.name = "driver-module",
                                .title = "do the kernel's module and the driver's libraries fit",
                                .need = "a GPU",
                                .cost = "none",
                                .severity = Severity::error,
                                .source = "nvmlReturn_t 18",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
