#include "base/environment.hpp"

#include "support/catch.hpp"

using namespace ringside;
using Variables = std::vector<std::pair<std::string, std::string>>;

TEST_CASE("only listed variables are recorded, by name") {
  const char* environment[] = {
      "HOME=/root",  "NCCL_DEBUG=INFO", "CUDA_VISIBLE_DEVICES=0,1", "AWS_SECRET_ACCESS_KEY=x",
      "LD_PRELOAD=", "NCCL_IB_PKEY=1",  "MY_NCCL_DEBUG=1",          nullptr};
  CHECK(recorded_environment(environment) == Variables{{"CUDA_VISIBLE_DEVICES", "0,1"},
                                                       {"LD_PRELOAD", ""},
                                                       {"NCCL_DEBUG", "INFO"},
                                                       {"NCCL_IB_PKEY", "1"}});
}

TEST_CASE("a listed prefix does not let a secret through") {
  const char* environment[] = {"NCCL_NET_PLUGIN_TOKEN=abc", "CUDA_REGISTRY_PASSWORD=abc", "NCCL_API_KEY=abc",
                               nullptr};
  CHECK(recorded_environment(environment).empty());
}

TEST_CASE("a very long value is cut and an entry without '=' ignored") {
  const std::string entry = "NCCL_X=" + std::string(5000, 'y');
  const char* environment[] = {entry.c_str(), "NCCL_NOTHING", nullptr};
  const Variables recorded = recorded_environment(environment);
  REQUIRE(recorded.size() == 1);
  CHECK(recorded[0].second.size() == 1000);
}
