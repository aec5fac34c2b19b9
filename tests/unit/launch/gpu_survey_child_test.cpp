#include "launch/gpu_survey_child.hpp"

#include "support/catch.hpp"

using namespace ringside;

TEST_CASE("a survey is the same after its way from child to coordinator") {
  GpuSurvey survey;
  survey.problem = "none";
  survey.gpus = {{.uuid = "GPU-1",
                  .pci_address = "0000:3b:00.0",
                  .name = "Some \"GPU\"",
                  .compute_capability = 90,
                  .multiprocessors = 132,
                  .memory = {1234567890123},
                  .l2_cache = 50_MiB,
                  .multicast = true,
                  .memory_sharing = "CUDA IPC"}};
  survey.pairs = {{true, false, 3}};
  survey.driver_version = 13000;
  survey.runtime_version = 12080;
  survey.nccl = {.problem = "",
                 .path = "/a/libnccl.so.2",
                 .origin = "system",
                 .version = 22809,
                 .missing = {"ncclX"},
                 .header_version = 22907};
  const std::string text = survey_to_json(survey);
  CHECK(text.find('\n') == std::string::npos);
  CHECK(survey_to_json(survey_from_json(text)) == text);
  const GpuSurvey back = survey_from_json(text);
  CHECK(back.gpus.front().name == "Some \"GPU\"");
  CHECK(back.pair(0, 0).performance_rank == 3);
  CHECK(back.nccl.header_version == 22907);
}
