#include "gpu/kernel_bench/stages.hpp"

#include <cstdio>

#include "kernels/push.cuh"

namespace ringside::bench {
namespace {

using kernels::PushStages;

constexpr int kRanks = 2;
constexpr int kCalls = 122;
constexpr int kRepetitions = 15;

template <PushStages Last>
__global__ void __launch_bounds__(kernels::max_threads(kRanks), kernels::promised_blocks(kRanks))
    push_up_to(const __grid_constant__ kernels::PushCall<__nv_bfloat16, kRanks> call) {
  kernels::push<kernels::BarePacket, Last>(call);
}

template <PushStages Last>
cudaError_t launch_up_to(kernels::Element, const kernels::TwoShotArguments& arguments,
                         const kernels::LaunchShape& shape, cudaStream_t stream) {
  const kernels::PushCall<__nv_bfloat16, kRanks> call(arguments.packets, shape);
  return kernels::launch(push_up_to<Last>, shape, call, stream);
}

// The stage's name, the launcher, and whether with dependent launch. Stages that take no packets leave the
// slots full, so those that do come first.
struct Part {
  const char* name;
  decltype(Family::launch) launch;
  bool dependent = false;
};
constexpr Part kParts[] = {{"all", launch_up_to<PushStages::all>},
                           {"all:pdl", launch_up_to<PushStages::all>, true},
                           {"send", launch_up_to<PushStages::send>},
                           {"local", launch_up_to<PushStages::local>},
                           {"none", launch_up_to<PushStages::none>}};

}  // namespace

void time_stages(Lab& lab, std::span<const std::size_t> sizes) {
  for (const Part& part : kParts) {
    Family family = *find_families("push").front();
    family.launch = part.launch;
    for (const std::size_t bytes : sizes) {
      const CallData data{lab.inputs(), lab.outputs(), bytes / 2, kernels::Element::bf16};
      kernels::LaunchShape shape = family.shape(bytes, kRanks, lab.multiprocessors());
      shape.dependent = part.dependent;
      const double us = lab.time_graph([&] { lab.launch(family, data, shape); }, kCalls, kRepetitions);
      if (lab.ranks().rank() == 0) std::printf("stage %zu %s %.3f\n", bytes, part.name, us);
    }
  }
}

}  // namespace ringside::bench
