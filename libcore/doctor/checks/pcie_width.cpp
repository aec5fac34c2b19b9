#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "base/units.hpp"
#include "doctor/check.hpp"

namespace ringside {
namespace {

// The speed of an idle link is low and means nothing; its width is that of the slot.
CheckOutcomes judge(const BoxFacts& facts) {
  CheckOutcomes outcomes;
  int known = 0;
  for (const std::string& gpu : gpu_names(facts)) {
    const auto width = facts.number(gpu + ".link_width");
    const auto most = facts.number(gpu + ".link_width_most");
    const auto port = facts.number(gpu + ".port_width_most");
    if (!width || !most || *width <= 0) continue;
    ++known;
    const double possible = port ? std::min(*most, *port) : *most;
    if (*width >= possible) continue;
    outcomes.push_back(check_hint(fmt::format("its PCIe link has {} lanes where both ends allow {}{}", *width,
                                              possible, port ? "" : " (the port above it was not seen)"),
                                  "look again while the GPU copies data (nvidia-smi -q -d PCIE); then reseat "
                                  "the card, and look at riser and "
                                  "bifurcation in the BIOS",
                                  {}, "GPU " + gpu.substr(4)));
  }
  if (known == 0) return {check_unknown(facts.why("gpu.0.link_width"))};
  if (outcomes.empty())
    outcomes.push_back(
        check_ok("each PCIe link has as many lanes as both ends allow; its speed was not looked at under "
                 "load"));
  return outcomes;
}

const RegisterCheck registered{{.name = "pcie-width",
                                .title = "have PCIe links all their lanes",
                                .need = "a GPU",
                                .cost = "none",
                                .severity = Severity::warning,
                                .gpus = 1,
                                .source = "club-3090#1098",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
