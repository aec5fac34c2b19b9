#include "device/cuda/nccl/nccl_communicators.hpp"

#include <array>

#include "support/catch.hpp"

using namespace ringside;

TEST_CASE("a communicator is made while every GPU has room for one") {
  CHECK(memory_shortage(std::array{Bytes{140'000'000'000}, kNcclCommunicatorMemory}).empty());
  CHECK(memory_shortage({}).empty());
}

TEST_CASE(
    "a GPU that is short of memory is named with what is free, what a communicator may take, and what to "
    "do") {
  CHECK(
      memory_shortage(std::array{Bytes{140'000'000'000}, Bytes{700'000'000}, Bytes{800'000'000}}) ==
      "668 MiB of GPU memory is free on rank 1, and one more NCCL communicator may take 1.00 GiB; name fewer "
      "NCCL strategies in one --strategy list, or free the GPU");
  CHECK_FALSE(memory_shortage(std::array{Bytes{kNcclCommunicatorMemory.count - 1}}).empty());
}
