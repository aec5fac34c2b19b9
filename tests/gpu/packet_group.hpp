#pragma once

#include <cstring>
#include <string_view>
#include <vector>

#include "device/cuda/cuda_error.hpp"
#include "device/cuda/handles.hpp"
#include "kernels/custom_push.hpp"
#include "kernels/custom_push_ll.hpp"
#include "kernels/custom_two_shot.hpp"
#include "strategy/cuda/elements.hpp"
#include "support/gpu_sum.hpp"

namespace ringside {

// The kernels that work through slots, with the arguments of the one that needs most.
struct TestedKernel {
  std::string_view name;
  std::size_t (*row_bytes)(std::size_t bytes, int ranks);
  cudaError_t (*launch)(kernels::Element, const kernels::TwoShotArguments&, const kernels::LaunchShape&,
                        cudaStream_t);
  kernels::WaitPlace first_wait;
};

inline constexpr TestedKernel kPacketKernels[] = {
    {"custom_push", [](std::size_t bytes, int) { return kernels::push_row_bytes(bytes); },
     [](kernels::Element element, const kernels::TwoShotArguments& arguments,
        const kernels::LaunchShape& shape, cudaStream_t stream) {
       return kernels::launch_custom_push(element, arguments.packets, shape, stream);
     },
     kernels::WaitPlace::packet},
    {"custom_push_ll", [](std::size_t bytes, int) { return kernels::push_ll_row_bytes(bytes); },
     [](kernels::Element element, const kernels::TwoShotArguments& arguments,
        const kernels::LaunchShape& shape, cudaStream_t stream) {
       return kernels::launch_custom_push_ll(element, arguments.packets, shape, stream);
     },
     kernels::WaitPlace::packet},
    {"custom_two_shot", kernels::two_shot_row_bytes, kernels::launch_custom_two_shot,
     kernels::WaitPlace::packet}};

// Ranks on one GPU, each with a stream, slots and buffers of its own; their kernels run side by side.
class PacketGroup {
 public:
  // Messages of up to `bytes`. `calls`: what the counters of calls start with.
  PacketGroup(const TestedKernel& kernel, int ranks, std::size_t bytes, std::uint32_t calls = 0)
      : kernel_(kernel), row_bytes_(kernel.row_bytes(bytes, ranks)) {
    for (int r = 0; r < ranks; ++r) ranks_.emplace_back(ranks, row_bytes_, bytes);
    for (int r = 0; r < ranks; ++r) {
      check_cuda(kernels::clear_slots(slots(r), calls, rank(r).stream.get()), "clear_slots");
    }
    check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  int size() const { return static_cast<int>(ranks_.size()); }
  cudaStream_t stream(int r) { return rank(r).stream.get(); }

  struct Call {
    DType dtype = DType::bf16;
    std::size_t count = 0;
    bool in_place = false;
    std::size_t shift = 0;  // of input and output, in elements
    kernels::LaunchShape shape{4, 64, false};
  };

  void launch(int r, const Call& call, std::uint64_t limit_ns = 2'000'000'000) {
    kernels::TwoShotArguments arguments;
    arguments.packets = {slots(r),
                         input(r, call),
                         output(r, call),
                         call.count,
                         {rank(r).failure.as<kernels::WaitFailure>(), limit_ns}};
    for (int peer = 0; peer < size(); ++peer) arguments.outputs[peer] = output(peer, call);
    check_cuda(kernel_.launch(kernel_element(call.dtype), arguments, call.shape, stream(r)), "launch");
  }

  // The call on these inputs, one to a rank, on all ranks; the first rank whose output is wrong, or -1.
  int run(const Call& call, const std::vector<Elements>& inputs) {
    const std::size_t bytes = inputs.front().bytes.size();
    for (int r = 0; r < size(); ++r) {
      const std::byte* source = inputs[static_cast<std::size_t>(r)].bytes.data();
      check_cuda(cudaMemcpy(input(r, call), source, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
      if (!call.in_place) check_cuda(cudaMemset(output(r, call), 0xCB, bytes), "cudaMemset");
    }
    for (int r = 0; r < size(); ++r) launch(r, call);
    check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    outputs_.clear();
    for (int r = 0; r < size(); ++r) {
      outputs_.emplace_back(bytes);
      check_cuda(cudaMemcpy(outputs_.back().data(), output(r, call), bytes, cudaMemcpyDeviceToHost),
                 "cudaMemcpy");
    }
    const Elements expected = expected_sum(inputs);
    for (int r = 0; r < size(); ++r) {
      if (output_of(r) != expected.bytes) return r;
    }
    return -1;
  }

  // What the latest run() gave.
  const std::vector<std::byte>& output_of(int r) const { return outputs_[static_cast<std::size_t>(r)]; }

  // The same on ordinary inputs, other ones for each `number`.
  int run(const Call& call, int number) {
    std::vector<Elements> inputs;
    for (int r = 0; r < size(); ++r) inputs.push_back(test_input(call.dtype, call.count, r, number));
    return run(call, inputs);
  }

  kernels::WaitFailure failure(int r) {
    kernels::WaitFailure found;
    check_cuda(cudaMemcpy(&found, rank(r).failure.get(), sizeof found, cudaMemcpyDeviceToHost), "cudaMemcpy");
    return found;
  }

 private:
  static constexpr std::size_t kMargin = 256;  // for shifted messages

  struct Rank {
    Rank(int ranks, std::size_t row_bytes, std::size_t bytes)
        : memory(kernels::slot_memory_bytes(ranks, row_bytes)),
          input(bytes + kMargin),
          output(bytes + kMargin) {}
    Stream stream = make_stream();
    DeviceMemory failure{sizeof(kernels::WaitFailure)};
    DeviceMemory memory;
    DeviceMemory input;
    DeviceMemory output;
  };

  Rank& rank(int r) { return ranks_[static_cast<std::size_t>(r)]; }
  std::byte* input(int r, const Call& call) {
    return rank(r).input.as<std::byte>() + call.shift * element_size(call.dtype);
  }
  std::byte* output(int r, const Call& call) {
    return call.in_place ? input(r, call)
                         : rank(r).output.as<std::byte>() + call.shift * element_size(call.dtype);
  }

  kernels::PacketSlots slots(int r) {
    kernels::PacketSlots slots;
    for (int peer = 0; peer < size(); ++peer) slots.memory[peer] = rank(peer).memory.as<std::byte>();
    slots.row_bytes = row_bytes_;
    slots.rank = r;
    slots.ranks = size();
    return slots;
  }

  const TestedKernel& kernel_;
  std::size_t row_bytes_;
  std::vector<Rank> ranks_;
  std::vector<std::vector<std::byte>> outputs_;
};

}  // namespace ringside
