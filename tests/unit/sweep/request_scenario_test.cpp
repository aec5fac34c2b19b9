#include "sweep/request_scenario.hpp"

#include "base/errors.hpp"
#include "support/catch.hpp"
#include "sweep/request_limits.hpp"

using namespace ringside;
using namespace std::chrono_literals;

namespace {

SweepScenario read(const std::string& text) {
  return read_sweep_scenario({.name = "mine", .origin = "mine.toml", .text = "title = \"t\"\n" + text});
}

std::string problem(const std::string& text) {
  try {
    read(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

std::string refusal(const SweepRequest& request) {
  try {
    check_request(request);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

SweepRequest good_request() {
  SweepRequest request;
  request.first().sizes = {2_KiB, 4_KiB};
  return request;
}

}  // namespace

TEST_CASE("a sweep scenario sets what it says and leaves the rest") {
  const SweepScenario sweep = read(R"(device = "host"
ranks = 4
strategies = ["ring", "custom"]
sizes = "2K:8K:x2"
dtypes = ["bf16", "fp32"]
modes = ["eager"]
collective = "allreduce"
launches = 5
min_rounds = 12
max_rounds = 50
budget = "2m"
timeout = 5
seed = 7
)");
  CHECK(sweep.overrides.device == "host");
  SweepRequest request;
  apply(sweep.overrides, request);
  CHECK(request.ranks == 4);
  CHECK(request.first().strategies == std::vector<std::string>{"ring", "custom"});
  CHECK(request.first().sizes == std::vector<Bytes>{2_KiB, 4_KiB, 8_KiB});
  CHECK(request.first().dtypes == std::vector<DType>{DType::bf16, DType::fp32});
  CHECK(request.launches == 5);
  CHECK(request.min_rounds == 12);
  CHECK(request.max_rounds == 50);
  CHECK(request.budget == 120s);
  CHECK(request.turn_timeout == 5s);
  CHECK(request.seed == 7);

  SweepRequest untouched;
  untouched.ranks = 3;
  apply(read("").overrides, untouched);
  CHECK(untouched.ranks == 3);
  CHECK(untouched.launches == SweepRequest{}.launches);
}

TEST_CASE("later overrides win") {
  SweepRequest request;
  apply(read("ranks = 4\nlaunches = 5").overrides, request);
  apply(read("ranks = 8").overrides, request);
  CHECK(request.ranks == 8);
  CHECK(request.launches == 5);
}

TEST_CASE("sizes are a range or an array") {
  CHECK(read("sizes = [\"2K\", 4096]").overrides.sizes == std::vector<Bytes>{2_KiB, 4_KiB});
  CHECK(problem("sizes = \"4K:2K\"") == "mine.toml:2:9: the range '4K:2K' descends");
  CHECK(problem("sizes = [\"4K\", \"2K\"]") == "mine.toml:2:9: sizes must ascend, but 2K follows 4K");
  CHECK(problem("sizes = 5.5") == "mine.toml:2:9: 'sizes' must be an array, not the number 5.5");
}

TEST_CASE("a scenario with a mistake is refused with the place") {
  CHECK(problem("ranks = 1") ==
        "mine.toml:2:9: 'ranks' must be a whole number from 2 to 1024, not the number 1");
  CHECK(problem("dtypes = [\"bf17\"]") ==
        "mine.toml:2:11: unknown dtype 'bf17' (did you mean 'bf16'?); valid: bf16, fp16, fp32");
  CHECK(problem("strategy = \"ring\"").find("mine.toml:2:1: unknown key 'strategy' in the document") == 0);
  CHECK(problem("device = \"gpu\"") ==
        "mine.toml:2:10: unknown device 'gpu'; valid: auto, host, cuda, model");
  CHECK_THROWS_AS(read_sweep_scenario({.name = "x", .origin = "x.toml", .text = ""}), UsageError);
}

TEST_CASE("every embedded sweep can be read") {
  for (const SweepScenario& sweep : list_sweep_scenarios()) {
    CAPTURE(sweep.name);
    CHECK(sweep.title.size() > 10);
    CHECK(sweep.overrides.sizes);
  }
}

TEST_CASE("a request that can't be run is refused with the reason") {
  SweepRequest request = good_request();
  CHECK(refusal(request) == "");
  request.ranks = 17;
  CHECK(refusal(request) == "17 ranks: the host device takes 2 to 16");
  request = good_request();
  request.max_rounds = 5;
  CHECK(refusal(request) == "10 rounds at least and 5 at most contradict each other");
  request = good_request();
  request.first().strategies.assign(kMaxCases, "ring");
  CHECK(refusal(request).find("the sweep would have 20000 cases") == 0);
}
