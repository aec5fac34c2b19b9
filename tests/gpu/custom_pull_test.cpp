// The kernel of custom-pull, with all ranks on one GPU: each has a stream and buffers of its own, and the
// kernels run side by side.
#include "kernels/custom_pull.hpp"

#include <string>

#include "device/cuda/cuda_error.hpp"
#include "device/cuda/handles.hpp"
#include "support/catch.hpp"
#include "support/gpu_sum.hpp"

using namespace ringside;

namespace {

constexpr std::uint64_t kLimitNs = 2'000'000'000;

kernels::Element element_of(DType dtype) {
  switch (dtype) {
    case DType::bf16:
      return kernels::Element::bf16;
    case DType::fp16:
      return kernels::Element::fp16;
    case DType::fp32:
      break;
  }
  return kernels::Element::fp32;
}

struct Rank {
  explicit Rank(std::size_t bytes) : input(bytes), output(bytes) {}
  Stream stream = make_stream();
  DeviceMemory sums;
  DeviceMemory state{sizeof(kernels::PullState)};
  DeviceMemory failure{sizeof(kernels::WaitFailure)};
  DeviceMemory input;
  DeviceMemory output;
};

class Group {
 public:
  Group(int ranks, DType dtype, std::size_t count, std::size_t offset_elements, bool two_stage = false)
      : dtype_(dtype), count_(count), offset_(offset_elements * element_size(dtype)), two_stage_(two_stage) {
    for (int r = 0; r < ranks; ++r) {
      ranks_.emplace_back(count * element_size(dtype) + offset_ + 64);
      if (two_stage)
        rank(r).sums = DeviceMemory(kernels::pull_sums_bytes(count * element_size(dtype), ranks));
    }
  }

  int size() const { return static_cast<int>(ranks_.size()); }
  Rank& rank(int r) { return ranks_[static_cast<std::size_t>(r)]; }
  std::byte* input(int r) { return rank(r).input.as<std::byte>() + offset_; }
  std::byte* output(int r, bool in_place) {
    return in_place ? input(r) : rank(r).output.as<std::byte>() + offset_;
  }

  void launch(int r, bool in_place, int blocks, std::uint64_t limit_ns = kLimitNs) {
    kernels::PullArguments arguments;
    for (int peer = 0; peer < size(); ++peer) {
      arguments.states[peer] = rank(peer).state.as<kernels::PullState>();
      arguments.inputs[peer] = input(peer);
      arguments.sums[peer] = rank(peer).sums.get();
    }
    arguments.output = output(r, in_place);
    arguments.count = count_;
    arguments.rank = r;
    arguments.ranks = size();
    arguments.guard = {rank(r).failure.as<kernels::WaitFailure>(), limit_ns};
    const auto launch = two_stage_ ? kernels::launch_custom_pull_two_stage : kernels::launch_custom_pull;
    check_cuda(launch(element_of(dtype_), arguments, blocks, rank(r).stream.get()), "custom_pull");
  }

  kernels::WaitFailure failure(int r) {
    kernels::WaitFailure failure;
    check_cuda(cudaMemcpy(&failure, rank(r).failure.get(), sizeof failure, cudaMemcpyDeviceToHost),
               "cudaMemcpy");
    return failure;
  }

  // One call on fresh inputs; returns the first rank whose output is wrong, or -1.
  int call(int number, bool in_place, int blocks) {
    std::vector<Elements> inputs;
    for (int r = 0; r < size(); ++r) {
      inputs.push_back(test_input(dtype_, count_, r, number));
      check_cuda(cudaMemcpy(input(r), inputs.back().bytes.data(), inputs.back().bytes.size(),
                            cudaMemcpyHostToDevice),
                 "cudaMemcpy");
      if (!in_place) check_cuda(cudaMemset(output(r, false), 0xCB, inputs.back().bytes.size()), "cudaMemset");
    }
    for (int r = 0; r < size(); ++r) launch(r, in_place, blocks);
    check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    const Elements expected = expected_sum(inputs);
    for (int r = 0; r < size(); ++r) {
      Elements got{dtype_, std::vector<std::byte>(expected.bytes.size())};
      check_cuda(cudaMemcpy(got.bytes.data(), output(r, in_place), got.bytes.size(), cudaMemcpyDeviceToHost),
                 "cudaMemcpy");
      if (got.bytes != expected.bytes) return r;
    }
    return -1;
  }

 private:
  DType dtype_;
  std::size_t count_;
  std::size_t offset_;
  bool two_stage_;
  std::vector<Rank> ranks_;
};

}  // namespace

TEST_CASE("custom-pull sums bit by bit for 2 to 8 ranks, every dtype, in place and out of place") {
  for (int ranks = 2; ranks <= 8; ++ranks) {
    for (const DType dtype : {DType::bf16, DType::fp16, DType::fp32}) {
      for (const bool two_stage : {false, true}) {
        Group group(ranks, dtype, 10007, 0, two_stage);
        for (const bool in_place : {false, true}) {
          INFO(ranks << " ranks, " << to_string(dtype) << (in_place ? ", in place" : "")
                     << (two_stage ? ", two stages" : ""));
          CHECK(group.call(in_place ? 1 : 0, in_place, 4) == -1);
        }
      }
    }
  }
}

TEST_CASE("custom-pull takes any count and alignment") {
  for (const std::size_t count : {1u, 2u, 7u, 8u, 9u, 255u, 4096u, 4099u, 200003u}) {
    for (const std::size_t offset : {0u, 1u, 3u, 8u}) {
      for (const bool two_stage : {false, true}) {
        for (const int ranks : {2, 3}) {
          Group group(ranks, DType::bf16, count, offset, two_stage);
          INFO(count << " elements, shifted by " << offset << (two_stage ? ", two stages" : ""));
          CHECK(group.call(0, false, 2) == -1);
          CHECK(group.call(1, true, 2) == -1);
        }
      }
    }
  }
}

TEST_CASE("custom-pull in place stores no chunk that a peer still reads, over many chunks and calls") {
  for (const bool two_stage : {false, true}) {
    Group group(4, DType::fp32, 300000, 0, two_stage);  // 2 blocks hold 16384 elements at a time
    for (int call = 0; call < 20; ++call) {
      INFO("call " << call);
      REQUIRE(group.call(call, true, 2) == -1);
    }
  }
}

TEST_CASE("custom-pull's counts go on over calls of different grids") {
  for (const bool two_stage : {false, true}) {
    Group group(3, DType::bf16, 50000, 0, two_stage);
    int call = 0;
    for (const int blocks : {1, 8, 2, 64, 3, 8, 1}) {
      INFO(blocks << " blocks");
      REQUIRE(group.call(call, call % 2 == 0, blocks) == -1);
      ++call;
    }
  }
}

TEST_CASE("custom-pull's counts wrap around") {
  Group group(2, DType::bf16, 1000, 0);
  kernels::PullState state{};
  for (auto& counts : state.counts) counts = {0xfffffffeu, 0xfffffffdu};
  for (auto& arrivals : state.arrivals) {
    for (int r = 0; r < kernels::kPullMaxRanks; ++r) {
      arrivals.start[r] = 0xfffffffeu;
      arrivals.end[r] = 0xfffffffdu;
    }
  }
  for (int r = 0; r < 2; ++r) {
    check_cuda(cudaMemcpy(group.rank(r).state.get(), &state, sizeof state, cudaMemcpyHostToDevice),
               "cudaMemcpy");
  }
  for (int call = 0; call < 6; ++call) {
    INFO("call " << call);
    REQUIRE(group.call(call, call % 2 == 1, 2) == -1);
  }
}

TEST_CASE(
    "custom-pull gives up waiting for a rank that never comes, says for whom, and drains at once "
    "afterwards") {
  Group group(2, DType::bf16, 1000, 0);
  group.launch(0, false, 1, 20'000'000);
  for (int again = 0; again < 100; ++again) group.launch(0, false, 1, 20'000'000);
  check_cuda(cudaStreamSynchronize(group.rank(0).stream.get()), "cudaStreamSynchronize");
  const kernels::WaitFailure failure = group.failure(0);
  CHECK(failure.place == kernels::WaitPlace::pull_start);
  CHECK(failure.peer == 1);
  CHECK(failure.expected == 1);
  CHECK(failure.seen == 0);
}

TEST_CASE("a small message takes few blocks and a large one no more than there may be") {
  CHECK(kernels::pull_blocks(1, 132) == 1);
  CHECK(kernels::pull_blocks(16384, 132) == 2);
  CHECK(kernels::pull_blocks(std::size_t{64} << 20, 132) == kernels::kPullMaxBlocks);
  CHECK(kernels::pull_blocks(std::size_t{64} << 20, 24) == 24);
}
