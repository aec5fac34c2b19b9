#include "machine/gpu_survey.hpp"

#include "base/errors.hpp"
#include "machine/versions.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

// Three GPUs; 0 and 2 reach each other, 1 reaches nobody.
GpuSurvey three_gpus() {
  GpuSurvey survey;
  for (const char* uuid : {"GPU-aa11", "GPU-aa22", "GPU-bb33"}) {
    GpuFacts gpu;
    gpu.uuid = uuid;
    gpu.name = "X";
    survey.gpus.push_back(gpu);
  }
  for (int from = 0; from < 3; ++from) {
    for (int to = 0; to < 3; ++to) survey.pairs.push_back({from == to || (from != 1 && to != 1), false, 0});
  }
  return survey;
}

std::string refusal(const std::string& list) {
  try {
    choose_gpus(three_gpus(), list, 2);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("without a list the first GPUs are taken") {
  CHECK(choose_gpus(three_gpus(), "", 2) == std::vector<std::size_t>{0, 1});
}

TEST_CASE("GPUs are named by number, by UUID or by the beginning of one, in the order of ranks") {
  CHECK(choose_gpus(three_gpus(), "2,0", 2) == std::vector<std::size_t>{2, 0});
  CHECK(choose_gpus(three_gpus(), "GPU-bb33, GPU-aa11", 2) == std::vector<std::size_t>{2, 0});
  CHECK(choose_gpus(three_gpus(), "GPU-b,1", 2) == std::vector<std::size_t>{2, 1});
}

TEST_CASE("a list that names no GPU, several, or one twice is refused with what there is") {
  CHECK(refusal("0,7") ==
        "--gpus: there is no GPU 7; here are 0 (X GPU-aa11), 1 (X GPU-aa22), 2 (X GPU-bb33)");
  CHECK(refusal("GPU-aa,2").find("'GPU-aa' is the beginning of several UUIDs") != std::string::npos);
  CHECK(refusal("zero").find("'zero' is neither a GPU's number nor the beginning of its UUID") !=
        std::string::npos);
  CHECK(refusal("0,").find("''") != std::string::npos);
  CHECK(refusal("1,GPU-aa22") == "--gpus: GPU 1 is named twice; each rank needs its own");
}

TEST_CASE("more ranks than GPUs is the machine's fault, not the user's") {
  CHECK_THROWS_AS(choose_gpus(three_gpus(), "", 4), EnvironmentError);
}

TEST_CASE("a selection carries the pairs of the chosen GPUs only") {
  const GpuSurvey survey = three_gpus();
  CHECK_FALSE(all_pairs_reach(survey));
  const GpuSurvey selected = select_gpus(survey, {2, 0});
  CHECK(selected.gpus.front().uuid == "GPU-bb33");
  CHECK(selected.pairs.size() == 4);
  CHECK(all_pairs_reach(selected));
}

TEST_CASE("version numbers read as their libraries print them") {
  CHECK(nccl_version_text(22809) == "2.28.9");
  CHECK(nccl_version_text(2804) == "2.8.4");
  CHECK(cuda_version_text(13000) == "13.0");
  CHECK(cuda_version_text(12080) == "12.8");
}
