#include <cstdlib>
#include <memory>
#include <optional>

#include "strategy/registry.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

constexpr const char* kVariable = "NCCL_GRAPH_MIXING_SUPPORT";

// The variable as a test wants it, and as it was behind the test.
class Variable {
 public:
  explicit Variable(const char* value) {
    if (const char* before = std::getenv(kVariable); before != nullptr) before_ = before;
    value == nullptr ? ::unsetenv(kVariable) : ::setenv(kVariable, value, 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { before_ ? ::setenv(kVariable, before_->c_str(), 1) : ::unsetenv(kVariable); }

 private:
  std::optional<std::string> before_;
};

const Strategy& no_mix(const char* name = "nccl-auto:nomix") {
  return *find_strategy(name, DeviceKind::cuda);
}

AdmissionContext with_nccl(int version) {
  auto survey = std::make_shared<GpuSurvey>();
  survey->gpus.resize(2);
  survey->pairs.assign(4, {true, true, 0});
  survey->nccl.path = "libnccl.so.2";
  survey->nccl.version = version;
  return {.device = DeviceKind::cuda, .cores = 2, .gpus = survey};
}

Case in(Mode mode) {
  return {.strategy = "nccl-auto:nomix",
          .family = "nccl-auto",
          .device = DeviceKind::cuda,
          .mode = mode,
          .bytes = 2_KiB,
          .ranks = 2};
}

using Environment = std::vector<std::pair<std::string, std::string>>;

}  // namespace

TEST_CASE("without graph mixing is a variable of the ranks up to NCCL 2.28, then the communicator's") {
  const Variable unset(nullptr);
  for (const char* name : {"nccl-auto:nomix", "nccl-symmetric:nomix"}) {
    CHECK(no_mix(name).environment(with_nccl(22809)) == Environment{{kVariable, "0"}});
    CHECK(no_mix(name).setting(with_nccl(22809)) == "NCCL_GRAPH_MIXING_SUPPORT=0");
    CHECK(no_mix(name).environment(with_nccl(22902)).empty());
    CHECK(no_mix(name).setting(with_nccl(22902)) == "graphUsageMode=1");
  }
}

TEST_CASE("a variable that is set overrides the communicator, so the ranks get theirs") {
  const Variable on("1");
  CHECK(no_mix().environment(with_nccl(23007)) == Environment{{kVariable, "0"}});
  CHECK(no_mix().setting(with_nccl(23007)) == "NCCL_GRAPH_MIXING_SUPPORT=0");
}

TEST_CASE("NCCL's other strategies leave graph mixing to the environment") {
  for (const char* name : {"nccl-auto", "nccl-symmetric", "nccl-ring:ll"}) {
    CHECK(no_mix(name).environment(with_nccl(22809)).empty());
    CHECK_FALSE(no_mix(name).setting(with_nccl(22809)));
  }
}

TEST_CASE("without graph mixing is for graphs, of real machines, where it is not what all rows have") {
  const Variable unset(nullptr);
  CHECK_FALSE(no_mix().admit(in(Mode::graph), with_nccl(22809)));
  REQUIRE(no_mix().admit(in(Mode::eager), with_nccl(22809)));
  AdmissionContext described = with_nccl(22809);
  described.device = DeviceKind::model;
  REQUIRE(no_mix().admit(in(Mode::graph), described));
  const Variable off("0");
  const auto refused = no_mix().admit(in(Mode::graph), with_nccl(22809));
  REQUIRE(refused);
  CHECK(refused->message == "NCCL_GRAPH_MIXING_SUPPORT=0 is set: NCCL's other rows run with it");
}
