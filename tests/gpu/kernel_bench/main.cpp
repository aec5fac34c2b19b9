// Checks and times the custom allreduce kernels by themselves: one process per GPU, no library but the CUDA
// runtime.
//
//   kernel_bench tune [FAMILIES]                shapes for each size, graph mode
//   kernel_bench own|between|eager [FAMILIES]   the families' own shapes: in a graph, with compute between
//   the calls, one by one
//   kernel_bench stages                         custom-push with its last stages left out
//   kernel_bench profile [FAMILIES]             a range for a profiler for each family and size
//   kernel_bench verify PLAYS LARGEST DELAY_NS [FAMILIES]   random sequences of calls, each element checked

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "gpu/kernel_bench/profile.hpp"
#include "gpu/kernel_bench/sequence.hpp"
#include "gpu/kernel_bench/stages.hpp"
#include "gpu/kernel_bench/tune.hpp"

namespace ringside::bench {
namespace {

constexpr std::uint64_t kWaitLimitNs = 2'000'000'000;
constexpr std::uint64_t kProfiledLimitNs = 10'000'000'000;  // a profiler holds its rank up

std::vector<std::size_t> all_sizes() {
  std::vector<std::size_t> sizes;
  for (std::size_t kib : {2, 16, 64, 256, 1024, 4096, 16384, 65536}) sizes.push_back(kib * 1024);
  return sizes;
}

int run_tune(Ranks& ranks, std::string_view command, std::string_view families) {
  Lab lab(ranks, kWaitLimitNs);
  TuneOptions options;
  options.sizes = all_sizes();
  options.families = families;
  options.shapes_of_family = command != "tune";
  options.between = command == "between";
  options.eager = command == "eager";
  tune(lab, options);
  return 0;
}

int run_profile(Ranks& ranks, std::string_view families) {
  Lab lab(ranks, kProfiledLimitNs);
  profile(lab, families, all_sizes());
  return 0;
}

int run_stages(Ranks& ranks) {
  Lab lab(ranks, kWaitLimitNs);
  time_stages(lab, all_sizes());
  return 0;
}

int run_verify(Ranks& ranks, int plays, std::size_t largest, std::uint32_t delay_ns,
               std::string_view families) {
  Lab lab(ranks, kWaitLimitNs, kCallsNearEnd);
  SequenceOptions options;
  options.plays = plays;
  options.largest = largest;
  options.delay_ns = delay_ns;
  options.families = families;
  const SequenceResult result = play_sequences(lab, options);
  if (ranks.rank() == 0) {
    std::printf("%s: %llu calls, %llu elements checked, %llu wrong, %.1f s\n",
                result.wrong == 0 ? "right" : "WRONG", result.calls, result.checked, result.wrong,
                result.seconds);
  }
  return result.wrong == 0 ? 0 : 4;
}

int usage() {
  std::fprintf(stderr,
               "usage: kernel_bench tune|own|between|eager|profile [FAMILIES] | stages |\n"
               "       kernel_bench verify PLAYS LARGEST DELAY_NS [FAMILIES]\n");
  return 2;
}

}  // namespace
}  // namespace ringside::bench

int main(int argc, char** argv) {
  using namespace ringside::bench;
  const std::string command = argc > 1 ? argv[1] : "";
  const bool verify = command == "verify" && argc >= 5;
  const bool profiled = command == "profile";
  const bool staged = command == "stages";
  const bool timed = command == "tune" || command == "own" || command == "between" || command == "eager";
  if (!verify && !profiled && !staged && !timed) return usage();
  const char* families = argc > (verify ? 5 : 2) ? argv[verify ? 5 : 2] : "";
  const bool good = Ranks::run(2, 240, profiled ? Others::executed : Others::forked, argv, [&](Ranks& ranks) {
    if (profiled) return run_profile(ranks, families);
    if (staged) return run_stages(ranks);
    if (timed) return run_tune(ranks, command, families);
    return run_verify(ranks, std::atoi(argv[2]), static_cast<std::size_t>(std::atoll(argv[3])),
                      static_cast<std::uint32_t>(std::atoi(argv[4])), families);
  });
  return good ? 0 : 1;
}
