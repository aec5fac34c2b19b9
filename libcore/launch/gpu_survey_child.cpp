#include "launch/gpu_survey_child.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>

#include "base/build_info.hpp"
#include "base/errors.hpp"
#include "base/run_to_end.hpp"
#include "base/text.hpp"
#if RINGSIDE_HAS_CUDA
#include "device/cuda/survey.hpp"
#endif

namespace ringside {
namespace {

// A driver that has to wake eight GPUs takes its time.
constexpr std::chrono::seconds kTimeout{60};

GpuSurvey without_gpus(std::string problem) {
  GpuSurvey survey;
  survey.problem = std::move(problem);
  return survey;
}

// The survey is the last line; libraries may have printed before it.
std::string last_line(std::string_view text) {
  text = trim(text);
  const std::size_t end = text.rfind('\n');
  return std::string(end == std::string_view::npos ? text : text.substr(end + 1));
}

}  // namespace

GpuSurvey ask_gpu_survey(const std::string& nccl_library) {
  if (build_info().cuda_version.empty()) return without_gpus("this binary was built without CUDA");
  const ChildResult child = run_to_end(
      {.argv = {"/proc/self/exe", std::string(SurveyChild::kWord), nccl_library}}, {}, {.timeout = kTimeout});
  if (child.ok()) return survey_from_json(last_line(child.output));
  const std::string said = last_line(child.errors);
  return without_gpus(fmt::format("looking at the GPUs failed: the child {}{}", describe(child),
                                  said.empty() ? "" : " (" + said + ")"));
}

int survey_main(int argc, char** argv) {
  if (argc != 3) throw UsageError("__survey is started by ringside itself");
#if RINGSIDE_HAS_CUDA
  std::printf("\n%s\n", survey_to_json(survey_gpus(argv[2])).c_str());
#else
  static_cast<void>(argv);
#endif
  return 0;
}

}  // namespace ringside
