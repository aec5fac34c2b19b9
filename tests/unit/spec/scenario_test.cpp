#include "spec/scenario.hpp"

#include <set>

#include "base/errors.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

std::string problem(const std::vector<std::string>& overrides, const std::string& name = "kimi-k2.5-eagle3") {
  try {
    find_spec_scenario(name, overrides);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("every embedded scenario can be read") {
  std::set<std::string> names;
  for (const SpecScenario& scenario : list_spec_scenarios()) names.insert(scenario.name);
  CHECK(names == std::set<std::string>{"deepseek-v3-mtp", "glm-4.5-mtp", "kimi-k2.5-eagle3",
                                       "llama-3-70b-eagle", "qwen3-235b-a22b", "template"});
}

TEST_CASE("the story's scenario carries the reported numbers with their mark") {
  const SpecScenario scenario = find_spec_scenario("kimi-k2.5-eagle3");
  CHECK(scenario.model.layers == 61);
  CHECK(scenario.model.allreduces == 122);
  CHECK(scenario.model.hidden == 7168);
  CHECK(scenario.model.dtype == DType::bf16);
  CHECK(scenario.parallel.tp == 8);
  CHECK(scenario.observed.plain_tokens_s->value == 89);
  CHECK(scenario.observed.spec_tokens_s->value == 54);
  CHECK(scenario.observed.others.front().tokens_s.value == 38);
  CHECK(scenario.observed.verify_communication_ms->value == 24);
  CHECK(scenario.observed.plain_tokens_s->origin == Origin::reported);
  CHECK(message_bytes(scenario.model, scenario.speculation.verify_tokens()).count == 57344);
}

TEST_CASE("an override replaces any number, a table's origin included") {
  const SpecScenario scenario = find_spec_scenario(
      "kimi-k2.5-eagle3", {"speculation.batch=8", "acceptance.length=2.4", "memory.fraction=0.9"});
  CHECK(scenario.speculation.batch == 8);
  CHECK(scenario.acceptance.length->value == 2.4);
  CHECK(scenario.acceptance.length->origin == Origin::assumed);
  CHECK(scenario.memory.fraction->value == 0.9);
}

TEST_CASE("a wrong key names the nearest one") {
  CHECK(problem({"speculation.draft_token=6"}).find("draft_tokens") != std::string::npos);
}

TEST_CASE("numbers that can't be are refused in one line") {
  for (const char* bad :
       {"speculation.batch=0", "speculation.batch=-1", "speculation.draft_tokens=0", "model.hidden=-7168",
        "acceptance.length=9", "acceptance.rate=1.5", "acceptance.rates=[0.5,0.6]", "parallel.tp=0",
        "parallel.ep=7", "model.layers=nan", "observed.spec_tokens_s=0", "speculation.draft_tokens=99",
        "experts.dispatch=\"fp4\"", "experts.load=[1,2]"}) {
    CAPTURE(bad);
    const std::string text = problem({bad});
    CHECK_FALSE(text.empty());
    CHECK(text.find('\n') == std::string::npos);
  }
}

TEST_CASE("messages beyond all sizes are refused") {
  CHECK(problem({"speculation.batch=1000000", "model.hidden=1000000"}).find("more than can be sent") !=
        std::string::npos);
}

TEST_CASE("an override wins over a model from its own files, and the rest of that stays") {
  ModelShape model;
  model.name = "mine";
  model.layers = 80;
  model.hidden = 8192;
  model.vocabulary = 128256;
  model.dense_intermediate = 28672;
  model.allreduces = 160;
  const SpecScenario same = find_spec_scenario("template", {}, model);
  CHECK(same.model == model);
  const SpecScenario other = find_spec_scenario("template", {"model.hidden=2048", "model.layers=10"}, model);
  CHECK(other.model.hidden == 2048);
  CHECK(other.model.allreduces == 20);
  CHECK(other.model.vocabulary == 128256);
}

TEST_CASE("expert parallelism divides the ranks, and follows them where nobody gives it") {
  for (const char* ep : {"parallel.ep=16", "parallel.ep=6", "parallel.ep=48"}) {
    CAPTURE(ep);
    CHECK(problem({ep}).find("parallel.ep of") != std::string::npos);
  }
  CHECK_FALSE(problem({"parallel.tp=3", "parallel.ep=8"}).empty());
  CHECK(find_spec_scenario("kimi-k2.5-eagle3", {"parallel.tp=4"}).parallel.ep == 4);
}

TEST_CASE("one draft token and an empty list of rates say nothing, and are refused by their flag") {
  CHECK(problem({"speculation.draft_tokens=1"}).starts_with("--set speculation.draft_tokens=1: "));
  CHECK(problem({"acceptance.rates=[]"}).starts_with("--set acceptance.rates=[]: "));
  CHECK(problem({"acceptance.rates=[0.5, 0.6]"}).starts_with("--set acceptance.rates=[0.5, 0.6]: "));
  CHECK(problem({"machine=\"nope\""}).starts_with("--set machine=\"nope\": unknown machine 'nope'"));
}

TEST_CASE("one way to say the acceptance that --set gives takes the place of the scenario's own") {
  const AcceptanceInput given = find_spec_scenario("template", {"acceptance.rate=0.7"}).acceptance;
  CHECK(given.rate->value == 0.7);
  CHECK_FALSE(given.length);
  CHECK_FALSE(problem({"acceptance.rate=0.7", "acceptance.length=2"}, "template").empty());
}

TEST_CASE("the template assumes no acceptance") {
  const AcceptanceInput acceptance = find_spec_scenario("template").acceptance;
  CHECK_FALSE(acceptance.length);
  CHECK_FALSE(acceptance.rate);
  CHECK(acceptance.rates.empty());
}

TEST_CASE("experts that the ranks don't divide leave nothing to compare, and one GPU can be asked about") {
  CHECK(find_spec_scenario("kimi-k2.5-eagle3", {"parallel.tp=5"}).parallel.ep == 1);
  CHECK(find_spec_scenario("llama-3-70b-eagle", {"parallel.tp=1"}).parallel.tp == 1);
}
