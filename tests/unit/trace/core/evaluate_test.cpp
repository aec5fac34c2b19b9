#include "trace/core/evaluate.hpp"

#include <algorithm>

#include "support/catch.hpp"
#include "trace/sglang/trace_launch.hpp"
#include "unit/trace/core/sample_pipeline.hpp"

using namespace ringside;

namespace {

const TraceStep* marked(const Evaluation& evaluation, StepMark mark) {
  for (const TraceStep& step : evaluation.steps)
    if (step.mark == mark) return &step;
  return nullptr;
}

}  // namespace

TEST_CASE("a class without the hook dies where the table is asked for, on every rank") {
  const Evaluation result = evaluate(sample_pipeline(), sample_launch("Wrapper", "ring"));
  REQUIRE(result.death);
  CHECK(result.death->error == "AssertionError");
  CHECK(result.death->frames.back().file == "dispatch.py");
  CHECK(result.death->frames[result.death->frames.size() - 2].file == "models/inner.py");
  CHECK(result.death->worker == "target");
  CHECK(result.death->ranks == "0-3");
  CHECK(result.death->phase == "warm-up");
}

TEST_CASE("the step that gave nothing and the one that stored None are marked") {
  const Evaluation result = evaluate(sample_pipeline(), sample_launch("Wrapper", "ring"));
  REQUIRE(marked(result, StepMark::should_have_set));
  CHECK(marked(result, StepMark::should_have_set)->file == "location.py");
  REQUIRE(marked(result, StepMark::set_to_none));
  CHECK(marked(result, StepMark::set_to_none)->file == "runner.py");
  REQUIRE(marked(result, StepMark::died));
  CHECK(marked(result, StepMark::died)->file == "dispatch.py");
}

TEST_CASE("with the hook, or without an all-to-all, no failure is found") {
  CHECK_FALSE(evaluate(sample_pipeline(), sample_launch("Inner", "ring")).death);
  CHECK_FALSE(evaluate(sample_pipeline(), sample_launch("Wrapper", "none")).death);
}

TEST_CASE("an early return before the check saves the launch") {
  const Pipeline mended = sample_pipeline(R"(
[[procedure]]
name = "dispatch"
step = [
  {at = "dispatch.py:41", in = "init_new", guard = "args.ep_dispatch_algorithm is None", leave = "nothing"},
  {at = "dispatch.py:44", in = "init_new", check = "state.expert_location_metadata is not None"},
]
)");
  CHECK_FALSE(evaluate(mended, sample_launch("Wrapper", "ring")).death);
}

TEST_CASE("arguments are adjusted in the order of the steps") {
  const Evaluation result = evaluate(sample_pipeline(), sample_launch("Inner", "ring"));
  CHECK(result.args.at("ep_size") == Value(4));
}

TEST_CASE("the draft worker never sets the metadata") {
  Launch launch = sample_launch("Inner", "ring");
  launch.args["speculative_algorithm"] = "EAGLE";
  const Evaluation result = evaluate(sample_pipeline(), launch);
  const auto set_by_draft = [](const TraceStep& step) {
    return step.worker == "draft" && step.line == 2 && step.file == "runner.py" &&
           step.result != StepResult::skipped;
  };
  CHECK(std::none_of(result.steps.begin(), result.steps.end(), set_by_draft));
  CHECK(std::any_of(result.steps.begin(), result.steps.end(),
                    [](const TraceStep& step) { return step.worker == "draft"; }));
}

TEST_CASE("an unknown model or flag leaves the outcome undecided and says why") {
  Launch unknown_model = sample_launch("Wrapper", "ring");
  unknown_model.model.architecture = Unknown{"the model's architecture"};
  Evaluation result = evaluate(sample_pipeline(), unknown_model);
  CHECK_FALSE(result.death);
  CHECK_FALSE(result.undecided.empty());

  Launch unknown_flag = sample_launch("Wrapper", "ring");
  unknown_flag.args["moe_a2a_backend"] = Unknown{"$A2A is not set in the script"};
  result = evaluate(sample_pipeline(), unknown_flag);
  CHECK_FALSE(result.death);
  REQUIRE(result.possible_deaths.size() == 1);
  CHECK(result.possible_deaths.front().error == "AssertionError");
}

TEST_CASE("a class that the pipeline does not have leaves the outcome undecided and is named") {
  const Evaluation result = evaluate(sample_pipeline(), sample_launch("Elsewhere", "ring"));
  CHECK_FALSE(result.death);
  REQUIRE_FALSE(result.undecided.empty());
  CHECK(result.undecided.front().find("the pipeline has no class 'Elsewhere'") != std::string::npos);
}

TEST_CASE("the KV pool is checked when memory is given") {
  Launch launch = sample_launch("Inner", "ring");
  launch.memory = {{"free_after_weights", 16.3}, {"total", 95.0}, {"mem_fraction_static", 0.8}};
  REQUIRE(evaluate(sample_pipeline(), launch).death);
  CHECK(evaluate(sample_pipeline(), launch).death->message ==
        "Not enough memory. Please try to increase --mem-fraction-static.");
  launch.memory["free_after_weights"] = 21.7;
  CHECK_FALSE(evaluate(sample_pipeline(), launch).death);
  launch.memory.clear();
  CHECK_FALSE(evaluate(sample_pipeline(), launch).death);
}

TEST_CASE("ranks that differ are told apart") {
  const Pipeline pipeline = sample_pipeline(R"(
[[procedure]]
name = "dispatch"
step = [{at = "dispatch.py:1", in = "init_new", guard = "rank.tp in [1, 2]", throw = "ValueError"}]
)");
  const Evaluation result = evaluate(pipeline, sample_launch("Inner", "ring"));
  REQUIRE(result.death);
  CHECK(result.death->ranks == "1-2");
}

TEST_CASE("a value that its flag does not take ends the launch before its first step") {
  Launch launch = sample_launch("Wrapper", "rang");
  launch.refused = {
      {"argument --moe-a2a-backend: invalid choice: 'rang'", "moe_a2a_backend", {"args.py", 9, ""}}};
  const Evaluation result = evaluate(sample_pipeline(), launch);
  REQUIRE(result.death);
  CHECK(result.death->error == "SystemExit");
  CHECK(result.death->frames.back().line == 9);
  CHECK(result.steps.size() == 1);
  CHECK(outcome_of(result, load_signatures()) == "arguments-refused");
}

TEST_CASE("a flag that the version lacks ends a launch only where nothing else does") {
  Launch launch = sample_launch("Inner", "ring");
  launch.refused = {{"unrecognized arguments: --x", "", {}}};
  CHECK(outcome_of(evaluate(sample_pipeline(), launch), load_signatures()) == "arguments-refused");
  launch.model.architecture = "Wrapper";
  CHECK(evaluate(sample_pipeline(), launch).death->error == "AssertionError");
}
