// The kernels of custom-push, custom-push-ll and custom-two-shot, with all ranks on one GPU. Races between
// GPUs are what kernel_bench looks for.
#include <cmath>
#include <limits>

#include "gpu/packet_group.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

using Call = PacketGroup::Call;

constexpr std::uint32_t kNearWrap = 0xfffffffdu;

// Bits that a kernel could mistake for something else, in every pairing of ranks 0 and 1.
std::vector<Elements> awkward_inputs(DType dtype, int ranks) {
  const std::size_t size = element_size(dtype);
  const std::vector<std::uint32_t> values =
      dtype == DType::fp32
          ? std::vector<std::uint32_t>{0xffffffffu, 0xfffffffeu, 0x7f800000u, 0xff800000u, 0x80000000u,
                                       0u,          1u,          0x807fffffu, 0x7fc00000u, 0x3f800000u}
          : std::vector<std::uint32_t>{0xffffu,
                                       0xfffeu,
                                       dtype == DType::bf16 ? 0x7f80u : 0x7c00u,
                                       dtype == DType::bf16 ? 0xff80u : 0xfc00u,
                                       0x8000u,
                                       0u,
                                       1u,
                                       0x803fu,
                                       0x7fffu,
                                       0x3f80u};
  const std::size_t n = values.size();
  std::vector<Elements> inputs;
  for (int r = 0; r < ranks; ++r) {
    Elements input{dtype, std::vector<std::byte>(n * n * 4 * size)};
    for (std::size_t i = 0; i < n * n * 4; ++i) {
      // Four equal elements in a row, so that whole words have all bits set.
      const std::uint32_t bits = values[r % 2 == 0 ? i / 4 % n : i / 4 / n];
      std::memcpy(input.bytes.data() + i * size, &bits, size);
    }
    inputs.push_back(input);
  }
  return inputs;
}

// Every NaN as the one that the GPU makes.
void make_nans_canonical(Elements& elements) {
  const std::uint32_t nan = elements.dtype == DType::fp32 ? 0x7fffffffu : 0x7fffu;
  const std::size_t size = element_size(elements.dtype);
  for (std::size_t i = 0; i < elements.count(); ++i) {
    if (std::isnan(elements.get(i))) std::memcpy(elements.bytes.data() + i * size, &nan, size);
  }
}

}  // namespace

TEST_CASE("the packet kernels sum bit by bit for 2 to 8 ranks, every dtype, in place and out of place") {
  for (const TestedKernel& kernel : kPacketKernels) {
    for (int ranks = 2; ranks <= 8; ++ranks) {
      PacketGroup group(kernel, ranks, 64 * 1024);
      int number = 0;
      for (const DType dtype : {DType::bf16, DType::fp16, DType::fp32}) {
        for (const bool in_place : {false, true}) {
          INFO(kernel.name << ", " << ranks << " ranks, " << to_string(dtype)
                           << (in_place ? ", in place" : ""));
          CHECK(group.run({dtype, 10007, in_place, 0, {4, 64, false}}, number++) == -1);
        }
      }
    }
  }
}

TEST_CASE("the packet kernels take any count and alignment") {
  for (const TestedKernel& kernel : kPacketKernels) {
    PacketGroup group(kernel, 3, 512 * 1024);
    int number = 0;
    for (const std::size_t count : {1u, 2u, 7u, 8u, 9u, 255u, 4096u, 4099u, 200003u}) {
      for (const std::size_t shift : {0u, 1u, 3u, 8u}) {
        for (const bool in_place : {false, true}) {
          INFO(kernel.name << ", " << count << " elements, shifted by " << shift);
          CHECK(group.run({DType::bf16, count, in_place, shift, {4, 64, false}}, number++) == -1);
        }
      }
    }
  }
}

TEST_CASE(
    "calls of different sizes, dtypes and grids follow each other, also when the numbers of calls come "
    "round") {
  for (const TestedKernel& kernel : kPacketKernels) {
    PacketGroup group(kernel, 2, 256 * 1024, kNearWrap);
    int number = 0;
    for (const std::size_t count : {1000u, 60000u, 3u, 60000u, 8192u, 17u, 40000u, 40001u, 1u}) {
      const kernels::LaunchShape shape{1 + number * 5 % 23, 32 << number % 4, number % 2 == 1};
      INFO(kernel.name << ", call " << number << ", " << count << " elements, " << shape.blocks << " blocks");
      REQUIRE(group.run({number % 3 == 0 ? DType::fp32 : DType::fp16, count, number % 2 == 0, 0, shape},
                        number) == -1);
      ++number;
    }
  }
}

TEST_CASE("no data are mistaken for an empty packet slot") {
  for (const TestedKernel& kernel : kPacketKernels) {
    for (const DType dtype : {DType::bf16, DType::fp16, DType::fp32}) {
      std::vector<Elements> inputs = awkward_inputs(dtype, 2);
      PacketGroup group(kernel, 2, inputs.front().bytes.size());
      for (int again = 0; again < 3; ++again) {
        INFO(kernel.name << ", " << to_string(dtype));
        group.run({dtype, inputs.front().count(), false, 0, {1, 128, false}}, inputs);
        CHECK(group.failure(0).place == kernels::WaitPlace::none);
        CHECK(group.failure(1).place == kernels::WaitPlace::none);
        Elements expected = expected_sum(inputs);
        make_nans_canonical(expected);
        CHECK(group.output_of(0) == expected.bytes);
        CHECK(group.output_of(1) == expected.bytes);
      }
    }
  }
}

TEST_CASE("a rank that never calls is named, and a queue of calls drains") {
  for (const TestedKernel& kernel : kPacketKernels) {
    constexpr std::uint64_t kLimitNs = 20'000'000;
    PacketGroup group(kernel, 2, 4096);
    for (int again = 0; again < 100; ++again)
      group.launch(0, {DType::bf16, 1000, false, 0, {1, 64, false}}, kLimitNs);
    check_cuda(cudaStreamSynchronize(group.stream(0)), "cudaStreamSynchronize");
    const kernels::WaitFailure failure = group.failure(0);
    INFO(kernel.name);
    CHECK(failure.place == kernel.first_wait);
    CHECK(failure.peer == 1);
    CHECK(failure.expected == 1);
    CHECK(failure.seen == 0);
  }
}
