#pragma once

#include <string>
#include <string_view>

#include "machine/gpu_survey.hpp"

namespace ringside {

// How the coordinator looks at GPUs without touching CUDA: `ringside __survey NCCL_LIBRARY`, a child that
// prints what it sees as one line of JSON and ends.
struct SurveyChild {
  static constexpr std::string_view kWord = "__survey";
};

// Runs such a child. `nccl_library`: what --nccl-lib says, or empty. A child that crashes or hangs is a
// survey with that problem, as is a binary without CUDA.
GpuSurvey ask_gpu_survey(const std::string& nccl_library);

// The child's whole life; argv as above. Returns the exit status.
int survey_main(int argc, char** argv);

// The survey as one line of JSON, and back.
std::string survey_to_json(const GpuSurvey& survey);
GpuSurvey survey_from_json(const std::string& text);

}  // namespace ringside
