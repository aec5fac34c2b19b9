#include "run/device_choice.hpp"

#include <fmt/format.h>

#include "base/errors.hpp"
#include "launch/gpu_survey_child.hpp"

namespace ringside {
namespace {

// Why ranks can't run on these GPUs; empty: they can.
std::string why_no_cuda(const GpuSurvey& survey) {
  if (!survey.problem.empty()) return survey.problem;
  if (survey.gpus.size() == 1) return "only one GPU can be used, and a collective needs two";
  return "";
}

}  // namespace

DeviceChoice choose_device(const std::string& asked, const std::string& nccl_library) {
  if (asked != "auto" && asked != "cuda") return {parse_device(asked), "", nullptr};
  auto survey = std::make_shared<const GpuSurvey>(ask_gpu_survey(nccl_library));
  const std::string problem = why_no_cuda(*survey);
  if (asked == "auto" && !problem.empty()) {
    return {DeviceKind::host, fmt::format("{}; ranks run on CPU cores", problem), nullptr};
  }
  if (!problem.empty()) {
    throw EnvironmentError(fmt::format("--device cuda: {}; use --device host or --device model", problem));
  }
  const std::string reason = asked == "auto" ? fmt::format("{} GPUs can be used", survey->gpus.size()) : "";
  return {DeviceKind::cuda, reason, std::move(survey)};
}

}  // namespace ringside
