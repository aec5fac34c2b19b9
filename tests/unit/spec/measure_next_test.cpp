#include "spec/measure_next.hpp"

#include <algorithm>

#include "inquiries.hpp"
#include "support/catch.hpp"

using namespace ringside;
using namespace ringside::test;

namespace {

SpecEstimate with_best(const std::vector<std::pair<int, int>>& best) {
  SpecEstimate estimate;
  estimate.drafts = 3;
  estimate.batch = 1;
  for (const auto& [batch, drafts] : best) {
    SpecCell cell;
    cell.batch = batch;
    cell.context = 1024;
    cell.drafts = drafts;
    cell.best = true;
    estimate.table.push_back(cell);
  }
  return estimate;
}

std::string all_lines(const std::vector<SpecLines>& settings, const std::string& server) {
  std::string text;
  for (const SpecLines& lines : settings) {
    for (const std::string& line : lines.lines) text += lines.server == server ? line + "\n" : "";
  }
  return text;
}

}  // namespace

TEST_CASE("vLLM's setting names drafts from batch to batch") {
  const auto settings =
      settings_to_paste(dense_inquiry(), with_best({{1, 4}, {2, 4}, {4, 3}, {8, 3}, {16, 0}}));
  CHECK(all_lines(settings, "vLLM")
            .find(R"("num_speculative_tokens": 4, )"
                  R"("num_speculative_tokens_per_batch_size": [[1, 2, 4], [3, 8, 3], [9, 16, 0]])") !=
        std::string::npos);
  CHECK(all_lines(settings, "SGLang").find(R"({"candidate_steps": [3, 4]})") != std::string::npos);
}

TEST_CASE("one number of drafts for all batches needs no schedule, and none at all no setting") {
  const auto settings = settings_to_paste(dense_inquiry(), with_best({{1, 3}, {8, 3}}));
  CHECK(all_lines(settings, "vLLM").find("per_batch_size") == std::string::npos);
  CHECK(all_lines(settings, "SGLang")
            .find("--speculative-num-steps 3 --speculative-eagle-topk 1 "
                  "--speculative-num-draft-tokens 4") != std::string::npos);
  CHECK(settings_to_paste(dense_inquiry(), with_best({{1, 0}, {8, 0}})).empty());
  CHECK(settings_to_paste(dense_inquiry(), with_best({})).empty());
}

TEST_CASE("commands have the known length, and TensorRT-LLM's without the verify pass's own token") {
  SpecEstimate estimate = with_best({});
  estimate.length = SpecRange{2.4, 2.3, 2.5};
  estimate.batch = 8;
  estimate.context = 2000;
  const auto commands = commands_to_measure(dense_inquiry(8), estimate, NextRun::synthetic);
  CHECK(all_lines(commands, "vLLM").find(R"("synthetic_acceptance_length": 2.4)") != std::string::npos);
  CHECK(all_lines(commands, "vLLM").find("--max-concurrency 8") != std::string::npos);
  CHECK(all_lines(commands, "SGLang").find("SGLANG_SIMULATE_ACC_LEN=2.4") != std::string::npos);
  CHECK(all_lines(commands, "TensorRT-LLM").find("TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS=1 ") !=
        std::string::npos);
}

TEST_CASE("what is next is a run with speculation, then the length, then a plain run") {
  SpecEstimate estimate = with_best({});
  estimate.batch = 8;
  estimate.certainty = "likely";
  CHECK(next_measurement(dense_inquiry(8), estimate, {}).run == NextRun::synthetic);
  SpecObserved speculated;
  speculated.speculative = true;
  speculated.batch = 8;
  estimate.observations = {speculated};
  CHECK(next_measurement(dense_inquiry(8, std::nullopt), estimate, {}).run == NextRun::accepting);
  CHECK(next_measurement(dense_inquiry(8), estimate, {}).run == NextRun::plain);
  const auto plain = commands_to_measure(dense_inquiry(8), estimate, NextRun::plain);
  CHECK(all_lines(plain, "vLLM").find("speculative") == std::string::npos);
  CHECK(all_lines(plain, "SGLang").find("speculative") == std::string::npos);
  estimate.certainty = "measured";
  CHECK(next_measurement(dense_inquiry(8), estimate, {}).sentence.empty());
}
