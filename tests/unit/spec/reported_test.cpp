#include "spec/reported.hpp"

#include "support/catch.hpp"

using namespace ringside;

namespace {

struct Left {
  SpecScenario scenario;
  std::string note;
};

Left left(const std::vector<std::string>& sets, const std::string& machine = "rtx-pro-6000-pcie-x8") {
  const SpecScenario reported = find_spec_scenario("kimi-k2.5-eagle3");
  Left result{find_spec_scenario("kimi-k2.5-eagle3", sets), ""};
  if (const auto note = leave_out_stale(reported, reported.machine, machine, sets, result.scenario))
    result.note = note->message;
  return result;
}

}  // namespace

TEST_CASE("what was reported holds as long as the server is the reported one") {
  const Left same = left({"memory.fraction=0.8"});
  CHECK(same.note.empty());
  CHECK(same.scenario.observed.free_tp_gib->value == 21.7);
  CHECK_FALSE(same.scenario.acceptance.rate);
}

TEST_CASE("another layout, model or machine leaves out all that was reported, in one note") {
  for (const Left& other : {left({"parallel.tp=4"}), left({"model.expert_bits=8"}),
                            left({"parallel.dp_attention=true"}), left({}, "h200x8-nvswitch")}) {
    CAPTURE(other.note);
    const Observed& observed = other.scenario.observed;
    CHECK_FALSE(observed.free_tp_gib);
    CHECK_FALSE(observed.free_ep_gib);
    CHECK_FALSE(observed.plain_tokens_s);
    CHECK_FALSE(observed.spec_tokens_s);
    CHECK_FALSE(observed.verify_communication_ms);
    CHECK(observed.others.empty());
    CHECK(other.note.starts_with("observed.free_tp_gib, observed.free_ep_gib, "));
  }
}

TEST_CASE("another expert parallelism leaves out what was free under the reported one alone") {
  const Left other = left({"parallel.ep=4"});
  CHECK(other.scenario.observed.free_tp_gib);
  CHECK(other.scenario.observed.spec_tokens_s);
  CHECK_FALSE(other.scenario.observed.free_ep_gib);
}

TEST_CASE("another draft keeps the plain server's rate, another batch neither") {
  const Left draft = left({"speculation.draft_tokens=3"});
  CHECK(draft.scenario.observed.plain_tokens_s);
  CHECK_FALSE(draft.scenario.observed.spec_tokens_s);
  CHECK(draft.scenario.observed.free_tp_gib);
  CHECK_FALSE(left({"speculation.batch=8"}).scenario.observed.plain_tokens_s);
}

TEST_CASE("what --set gives is nobody's report") {
  const Left given = left({"parallel.tp=4", "observed.plain_tokens_s=50"});
  CHECK(given.scenario.observed.plain_tokens_s->value == 50);
  CHECK_FALSE(given.scenario.observed.spec_tokens_s);
}
