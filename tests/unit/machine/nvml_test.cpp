#include "machine/nvml.hpp"

#include <algorithm>

#include "machine/gpu_fingerprint.hpp"
#include "machine/gpu_links.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

constexpr const char* kFake = RINGSIDE_FAKES_DIR "/fake_nvml.so";

GpuSurvey two_gpus() {
  GpuSurvey survey;
  survey.gpus.resize(2);
  survey.gpus[0] = {
      .uuid = "GPU-a", .pci_address = "0000:3b:00.0", .name = "Fast GPU", .compute_capability = 90};
  survey.gpus[1] = {
      .uuid = "GPU-b", .pci_address = "0000:5e:00.0", .name = "Slow GPU", .compute_capability = 120};
  survey.pairs = {{true, true, 0}, {true, false, 1}, {false, false, 0}, {true, true, 0}};
  survey.driver_version = 13000;
  survey.nccl.path = "/opt/libnccl.so.2";
  survey.nccl.origin = "system";
  survey.nccl.version = 22809;
  return survey;
}

std::string fact(const Fingerprint& machine, const std::string& name) {
  const auto found =
      std::find_if(machine.facts.begin(), machine.facts.end(), [&](auto& f) { return f.first == name; });
  return found == machine.facts.end() ? "(absent)" : found->second;
}

}  // namespace

TEST_CASE("NVML is opened at run time and finds GPUs by UUID") {
  const auto nvml = Nvml::open(nullptr, kFake);
  REQUIRE(nvml != nullptr);
  CHECK(nvml->driver_version() == "999.88");
  CHECK(nvml->find("GPU-a").has_value());
  CHECK_FALSE(nvml->find("GPU-c").has_value());
}

TEST_CASE("a GPU's free memory is what NVML says, where it does") {
  const auto nvml = Nvml::open(nullptr, kFake);
  REQUIRE(nvml != nullptr);
  CHECK(nvml->free_memory(*nvml->find("GPU-a")) == Bytes{600});
  CHECK_FALSE(nvml->free_memory(*nvml->find("GPU-b")));
}

TEST_CASE("a library that is not there or is not NVML is no error, but says why") {
  std::string why;
  CHECK(Nvml::open(&why, "libringside-no-such.so.1") == nullptr);
  CHECK(why == "libringside-no-such.so.1 can't be opened");
  CHECK(Nvml::open(&why, "libc.so.6") == nullptr);
  CHECK(why == "libc.so.6 lacks functions that every driver has");
}

TEST_CASE("a GPU's state has its clock and what holds it down") {
  const auto nvml = Nvml::open(nullptr, kFake);
  REQUIRE(nvml != nullptr);
  const auto hot = nvml->state(*nvml->find("GPU-a"));
  REQUIRE(hot);
  CHECK(hot->sm_mhz == 1755);
  CHECK(clock_reason_names(hot->clock_reasons) ==
        std::vector<std::string>{"software power cap", "hardware thermal slowdown"});
  const auto idle = nvml->state(*nvml->find("GPU-b"));
  REQUIRE(idle);
  CHECK(clock_reason_names(idle->clock_reasons).empty());
}

TEST_CASE("a driver without a function is a driver without that fact") {
  const auto nvml = Nvml::open(nullptr, kFake);
  REQUIRE(nvml != nullptr);
  CHECK(nvml->compute_processes(*nvml->find("GPU-a")).empty());
}

TEST_CASE("a link is NVLink where there is one, else PCIe") {
  const auto nvml = Nvml::open(nullptr, kFake);
  REQUIRE(nvml != nullptr);
  CHECK(describe_link(*nvml, *nvml->find("GPU-a")) == "NVLink 4, 18 links to a switch");
  CHECK(describe_link(*nvml, *nvml->find("GPU-b")) == "PCIe 5.0 x16");
}

TEST_CASE("the fingerprint carries GPUs, pairs and libraries") {
  const auto nvml = Nvml::open(nullptr, kFake);
  Fingerprint machine{.name = "8 cores", .facts = {}};
  add_gpu_facts(machine, two_gpus(), nvml.get(), RootFiles("/nonexistent"));
  CHECK(machine.name == "2 x Fast GPU and Slow GPU, 8 cores");
  CHECK(fact(machine, "driver") == "999.88");
  CHECK(fact(machine, "cuda_driver") == "13.0");
  CHECK(fact(machine, "gpu0_link") == "NVLink 4, 18 links to a switch");
  CHECK(fact(machine, "gpu0_power_limit_w") == "700");
  CHECK(fact(machine, "gpu1_power_limit_w") == "(absent)");
  CHECK(fact(machine, "gpu1_compute_capability") == "12.0");
  CHECK(fact(machine, "gpu0_to_gpu1") == "access, no native atomics, performance rank 1");
  CHECK(fact(machine, "gpu1_to_gpu0") == "no access");
  CHECK(fact(machine, "nccl") == "2.28.9");
  CHECK(fact(machine, "gpu0_numa_node") == "(absent)");
}

TEST_CASE("without NVML the fingerprint has what CUDA knows") {
  Fingerprint machine;
  add_gpu_facts(machine, two_gpus(), nullptr, RootFiles("/nonexistent"));
  CHECK(fact(machine, "gpu0_name") == "Fast GPU");
  CHECK(fact(machine, "driver") == "(absent)");
  CHECK(fact(machine, "gpu0_link") == "(absent)");
}
