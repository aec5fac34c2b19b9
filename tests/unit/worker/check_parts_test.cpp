#include "worker/verify/check_parts.hpp"

#include <vector>

#include "support/catch.hpp"

using namespace ringside;
using Catch::Matchers::StartsWith;

namespace {

constexpr int kRanks = 2;
constexpr std::size_t kPart = 50'001;  // elements; more than are compared at once

Case two_parts() {
  Case params;
  params.collective = Collective::alltoall;
  params.ranks = kRanks;
  params.dtype = DType::fp32;
  params.bytes = {kRanks * kPart * sizeof(float)};
  return params;
}

InputKey key_of(int rank) {
  return {.set = InputSet::exact, .dtype = DType::fp32, .seed = 5, .call = 2, .rank = rank};
}

// What rank 1 receives.
std::vector<std::byte> right_output() {
  std::vector<std::byte> output(kRanks * kPart * sizeof(float));
  for (int sender = 0; sender < kRanks; ++sender) {
    const auto part = std::span(output).subspan(static_cast<std::size_t>(sender) * kPart * sizeof(float));
    fill_input(key_of(sender), kPart, part.first(kPart * sizeof(float)));
  }
  return output;
}

}  // namespace

TEST_CASE("a right exchange of large parts is accepted") {
  CHECK_FALSE(check_parts(key_of(1), two_parts(), right_output(), {}).has_value());
}

TEST_CASE("a wrong element is found wherever it stands in a part, and named") {
  for (const std::size_t element : {std::size_t{0}, std::size_t{16'383}, std::size_t{16'384}, kPart - 1}) {
    std::vector<std::byte> output = right_output();
    output[(kPart + element) * sizeof(float) + 1] ^= std::byte{0x10};
    const auto mismatch = check_parts(key_of(1), two_parts(), output, {.call = 4});
    REQUIRE(mismatch.has_value());
    CHECK(mismatch->element == kPart + element);
    CHECK(mismatch->got != mismatch->expected);
    CHECK_THAT(mismatch->text, StartsWith("call 4, rank 1, element " + std::to_string(element) +
                                          " of the part from rank 1: got "));
  }
}
