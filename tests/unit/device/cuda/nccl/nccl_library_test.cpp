#include "device/cuda/nccl/nccl_library.hpp"

#include "device/cuda/nccl/nccl_survey.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

constexpr const char* kFake = RINGSIDE_FAKES_DIR "/fake_nccl.so";

}  // namespace

TEST_CASE("an NCCL library says where it was loaded from, its version, and what it lacks") {
  const NcclLibrary library(kFake);
  CHECK(library.version_text() == "2.26.5");
  CHECK(library.path().find("/fakes/fake_nccl.so") != std::string::npos);
  CHECK(library.missing() == std::vector<std::string>{"ncclAlltoAll", "ncclCommWindowRegister",
                                                      "ncclCommWindowDeregister", "ncclDevCommCreate",
                                                      "ncclDevCommDestroy"});
  CHECK(library.api().window_register == nullptr);
}

TEST_CASE("a failed NCCL call is told with the call, NCCL's text and its last error") {
  const NcclLibrary library(kFake);
  library.check(ncclSuccess, "ncclAllReduce");
  try {
    library.check(ncclInvalidUsage, "ncclAllReduce");
    FAIL("no error was thrown");
  } catch (const NcclError& error) {
    CHECK(std::string(error.what()) == "ncclAllReduce: invalid usage (no algorithm/protocol available)");
    CHECK(error.result() == ncclInvalidUsage);
    CHECK(error.code() == ExitCode::environment);
  }
}

TEST_CASE(
    "a file that is no NCCL is refused with what it lacks, one that is not there with the loader's reason") {
  try {
    NcclLibrary library("libc.so.6");
    FAIL("libc was taken for NCCL");
  } catch (const EnvironmentError& error) {
    CHECK(std::string(error.what()).starts_with("libc.so.6 is no usable NCCL: it lacks ncclGetVersion, "));
  }
  CHECK_THROWS_AS(NcclLibrary("/nonexistent/libnccl.so.2"), EnvironmentError);
}

TEST_CASE("a survey names the library that was asked for, or why it can't be used") {
  const NcclFacts facts = survey_nccl(kFake);
  CHECK(facts.problem.empty());
  CHECK(facts.version == 22605);
  CHECK(facts.origin == "--nccl-lib");
  const NcclFacts none = survey_nccl("/nonexistent/libnccl.so.2");
  CHECK(none.problem.find("/nonexistent/libnccl.so.2") != std::string::npos);
}
