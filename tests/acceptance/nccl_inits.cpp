// Makes NCCL communicators by the thousand in two or more rank processes, with another algorithm and protocol
// each time, runs one call on each and destroys it: `nccl_inits COUNT [NCCL_LIBRARY]`. Shows that choosing
// through the environment survives NCCL's threads, and that a communicator leaves nothing behind. Prints one
// line of JSON.
#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <string>

#include "base/errors.hpp"
#include "device/cuda/cuda_error.hpp"
#include "device/cuda/nccl/nccl_communicators.hpp"
#include "launch/gpu_survey_child.hpp"
#include "launch/process_group.hpp"
#include "launch/rank_main.hpp"
#include "machine/gpu_survey.hpp"
#include "protocol/rank_arguments.hpp"

namespace ringside {
namespace {

using nlohmann::json;

constexpr int kBatch = 9;  // each choice once
constexpr std::array kAlgorithms = {"", "ring", "tree"};
constexpr std::array kProtocols = {"", "ll", "simple"};

std::size_t free_memory() {
  std::size_t free = 0;
  std::size_t total = 0;
  check_cuda(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return free;
}

// Makes kBatch communicators one after another; answers with the GPU memory that is free afterwards.
class InitSession final : public Session {
 public:
  explicit InitSession(CudaDevice& device) : device_(device), buffer_(device.arena().allocate(4_KiB)) {}

  std::string handle(const std::string&) override {
    const NcclLibrary& library = device_.companion<NcclCommunicators>().library();
    for (int i = 0; i < kBatch; ++i) {
      NcclCommunicator communicator(
          device_, library,
          {.algorithm = kAlgorithms[static_cast<std::size_t>(i) % kAlgorithms.size()],
           .protocol = kProtocols[static_cast<std::size_t>(i / 3) % kProtocols.size()]});
      device_.run([&] {
        library.check(library.api().all_reduce(buffer_, buffer_, 1024, ncclFloat32, ncclSum,
                                               communicator.get(), device_.stream()),
                      "ncclAllReduce");
      });
    }
    return json{{"free_bytes", free_memory()}}.dump();
  }

 private:
  CudaDevice& device_;
  std::byte* buffer_;
};

std::vector<std::size_t> free_bytes(const TurnOutcome& outcome) {
  std::vector<std::size_t> free;
  for (const std::string& reply : outcome.replies) free.push_back(json::parse(reply).at("free_bytes"));
  return free;
}

int soak(int count, const std::string& asked_library) {
  const GpuSurvey survey = ask_gpu_survey(asked_library);
  if (survey.gpus.size() < 2) {
    std::fprintf(stderr, "two GPUs are needed; %s\n", survey.problem.c_str());
    return 3;
  }
  GroupSettings settings;
  settings.ranks = static_cast<int>(survey.gpus.size());
  settings.device = {.kind = DeviceKind::cuda, .arena = 1_MiB, .nccl_library = survey.nccl.path};
  for (const GpuFacts& gpu : survey.gpus) settings.device.gpus.push_back(gpu.uuid);
  ProcessGroup group(settings);
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::size_t> first;
  std::vector<std::size_t> last;
  int made = 0;
  for (; made < count; made += kBatch) {
    const TurnOutcome outcome = group.ask("{}", std::chrono::seconds(120));
    if (outcome.kind != TurnOutcome::Kind::ok) {
      std::fprintf(stderr, "after %d communicators: %s\n", made, outcome.message.c_str());
      for (const std::string& line : outcome.evidence) std::fprintf(stderr, "  %s\n", line.c_str());
      return 5;
    }
    last = free_bytes(outcome);
    if (first.empty()) first = last;
  }
  std::size_t lost = 0;
  for (std::size_t rank = 0; rank < first.size(); ++rank) {
    lost = std::max(lost, first[rank] > last[rank] ? first[rank] - last[rank] : 0);
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::printf(
      "%s\n",
      json{{"communicators", made}, {"seconds", seconds.count()}, {"lost_bytes", lost}}.dump().c_str());
  return 0;
}

int run(int argc, char** argv) {
  const std::string word = argc > 1 ? argv[1] : "";
  if (word == RankArguments::kWord) {
    return rank_main(argc, argv, [](RankDevice& device, ProgressCell&) {
      return std::make_unique<InitSession>(CudaDevice::of(device));
    });
  }
  if (word == SurveyChild::kWord) return survey_main(argc, argv);
  int count = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
  if (error != std::errc{} || end != word.data() + word.size() || count < 1) {
    std::fprintf(stderr, "usage: nccl_inits COUNT [NCCL_LIBRARY]\n");
    return 2;
  }
  return soak(count, argc > 2 ? argv[2] : "");
}

}  // namespace
}  // namespace ringside

int main(int argc, char** argv) {
  try {
    return ringside::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "nccl_inits: %s\n", error.what());
    return 1;
  }
}
