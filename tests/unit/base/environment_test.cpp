#include "base/environment.hpp"

#include "support/catch.hpp"

using namespace ringside;
using Variables = std::vector<std::pair<std::string, std::string>>;

namespace {

Variables recorded(const char* const* environment) {
  Withheld withheld;
  Variables variables = recorded_environment(environment, withheld);
  CHECK(withheld.empty());
  return variables;
}

}  // namespace

TEST_CASE("only listed variables are recorded, by name") {
  const char* environment[] = {
      "HOME=/root",  "NCCL_DEBUG=INFO", "CUDA_VISIBLE_DEVICES=0,1", "AWS_SECRET_ACCESS_KEY=x",
      "LD_PRELOAD=", "NCCL_IB_PKEY=1",  "MY_NCCL_DEBUG=1",          nullptr};
  CHECK(recorded(environment) == Variables{{"CUDA_VISIBLE_DEVICES", "0,1"},
                                           {"LD_PRELOAD", ""},
                                           {"NCCL_DEBUG", "INFO"},
                                           {"NCCL_IB_PKEY", "1"}});
}

TEST_CASE("a listed prefix does not let a secret through") {
  const char* environment[] = {"NCCL_NET_PLUGIN_TOKEN=abc", "CUDA_REGISTRY_PASSWORD=abc", "NCCL_API_KEY=abc",
                               nullptr};
  Withheld withheld;
  CHECK(recorded_environment(environment, withheld).empty());
  CHECK(withheld.names ==
        std::vector<std::string>{"NCCL_NET_PLUGIN_TOKEN", "CUDA_REGISTRY_PASSWORD", "NCCL_API_KEY"});
}

TEST_CASE("a very long value is cut and an entry without '=' ignored") {
  const std::string entry = "NCCL_X=" + std::string(5000, 'y');
  const char* environment[] = {entry.c_str(), "NCCL_NOTHING", nullptr};
  const Variables variables = recorded(environment);
  REQUIRE(variables.size() == 1);
  CHECK(variables[0].second.size() == 1000);
}
