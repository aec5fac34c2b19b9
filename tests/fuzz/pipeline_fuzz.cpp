// TOML pipelines: any text is refused with a UsageError or evaluated to an end.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/errors.hpp"
#include "trace/sglang/launch_scenario.hpp"
#include "trace/sglang/trace_launch.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ringside;
  static const std::vector<Signature> signatures = load_signatures();
  try {
    const LaunchScenario scenario =
        read_launch_scenario({"fuzz", "fuzz.toml", std::string(reinterpret_cast<const char*>(data), size)});
    if (!scenario.own_pipeline) return 0;
    Document document;
    trace_launch(*scenario.own_pipeline, make_launch(scenario, *scenario.own_pipeline), signatures, document);
  } catch (const UsageError&) {
  }
  return 0;
}
