#include "worker/verify/verify_case.hpp"
#include "protocol/group_memory.hpp"

#include <cstring>
#include <functional>
#include <map>
#include <set>

#include "base/errors.hpp"
#include "base/half.hpp"
#include "support/catch.hpp"
#include "support/single_rank_device.hpp"

using namespace ringside;
using Catch::Matchers::ContainsSubstring;
using test::SingleRankDevice;

namespace {

constexpr std::size_t kElements = 1000;
constexpr Numerics kExact{.rank_order = true, .single_rounding = true, .bitwise_across_ranks = true};

// The sum over one rank, as a function of the call's number, its input and its output.
using Copy = std::function<void(int call, const std::byte* input, std::byte* output)>;

class CopyCollective final : public PreparedCollective {
 public:
  explicit CopyCollective(Copy copy) : copy_(std::move(copy)) {}
  void enqueue(const std::byte* input, std::byte* output) override { copy_(calls++, input, output); }
  int calls = 0;

 private:
  Copy copy_;
};

Case case_of(DType dtype, Mode mode = Mode::eager) {
  Case params;
  params.dtype = dtype;
  params.mode = mode;
  params.bytes = {kElements * element_size(dtype)};
  params.ranks = 1;
  return params;
}

struct Harness {
  Case params;
  SingleRankDevice device{1_MiB};
  std::vector<std::byte*> golden;
  std::vector<std::byte*> outputs;
  std::byte* input;
  ProvenOutputs proven;

  explicit Harness(const Case& of, std::size_t pool = 3, std::size_t output_count = 8) : params(of) {
    for (std::size_t i = 0; i < pool; ++i) golden.push_back(device.arena().allocate(params.bytes));
    input = device.arena().allocate(params.bytes);
    for (std::size_t i = 0; i < output_count; ++i) outputs.push_back(device.arena().allocate(params.bytes));
  }

  VerifyReply verify(Copy copy, const VerifyPlan& plan = {}) {
    CopyCollective collective(std::move(copy));
    return verify_case(device, collective, params, kExact, plan, {golden, input, outputs}, proven);
  }
};

Copy right_copy(const Case& params) {
  return [bytes = params.bytes.count](int, const std::byte* input, std::byte* output) {
    std::memmove(output, input, bytes);
  };
}

std::string text_of(const VerifyReply& reply) {
  return reply.mismatch ? reply.mismatch->text : "no mismatch";
}

}  // namespace

TEST_CASE("a right collective passes, and every output of every replay is compared") {
  for (const DType dtype : {DType::bf16, DType::fp16, DType::fp32}) {
    Harness harness(case_of(dtype));
    const auto reply =
        harness.verify(right_copy(harness.params), {.calls_exact = 5, .calls_full_range = 2, .replays = 3});
    CHECK(text_of(reply) == "no mismatch");
    constexpr int kCalls = (3 + 3 * 5 + 1) + (3 + 3 * 2 + 1);  // alone, back to back, in place; set A, set B
    CHECK(reply.calls == kCalls);
    CHECK(reply.elements == kCalls * kElements);
    CHECK(reply.hashes.size() == kCalls);
  }
}

TEST_CASE("a verification stages as much as was counted") {
  for (const DType dtype : {DType::bf16, DType::fp32}) {
    Harness harness(case_of(dtype));
    harness.verify(right_copy(harness.params));
    CHECK(harness.device.staged == staging_need(harness.params).count);
  }
}

TEST_CASE("no two outputs of a verification are the same") {
  Harness harness(case_of(DType::bf16), 8);  // as many golden inputs as calls
  const auto first = harness.verify(right_copy(harness.params), {.seed = 7});
  const std::set<std::uint64_t> distinct(first.hashes.begin(), first.hashes.end());
  CHECK(distinct.size() == first.hashes.size());
  CHECK(harness.verify(right_copy(harness.params), {.seed = 7}).hashes == first.hashes);
  CHECK(harness.verify(right_copy(harness.params), {.seed = 8}).hashes != first.hashes);
  CHECK(harness.verify(right_copy(harness.params), {.seed = 7, .launch = 1}).hashes != first.hashes);
}

TEST_CASE("a case is verified in its own mode") {
  for (const Mode mode : {Mode::eager, Mode::graph}) {
    Harness harness(case_of(DType::bf16, mode));
    harness.verify(right_copy(harness.params), {.replays = 2});
    CHECK(harness.device.modes == std::vector<Mode>(6, mode));
    CHECK(harness.device.repetitions == 2 * (2 + 2 + 1));
  }
}

TEST_CASE("a set without calls is left out") {
  Harness harness(case_of(DType::bf16));
  CHECK(harness.verify(right_copy(harness.params), {.calls_exact = 0, .calls_full_range = 0}).calls == 0);
  CHECK(harness.verify(right_copy(harness.params), {.calls_exact = 0, .calls_full_range = 1}).calls == 2);
}

TEST_CASE("with fewer outputs than calls the last ones are checked") {
  Harness harness(case_of(DType::bf16), 3, 2);
  const auto plan = VerifyPlan{.calls_exact = 7, .calls_full_range = 0, .replays = 1};
  CHECK(harness.verify(right_copy(harness.params), plan).calls == 1 + 2 + 1);
  const auto reply = harness.verify(
      [&](int call, const std::byte* input, std::byte* output) {
        right_copy(harness.params)(call, input, output);
        if (call == 1 + 6) output[0] ^= std::byte{1};  // the burst's last
      },
      plan);
  CHECK_THAT(text_of(reply),
             ContainsSubstring("back-to-back calls of set A, replay 0: call 6, rank 0, element 0: got "));
}

TEST_CASE("a call that changes nothing is seen as never written") {
  Harness harness(case_of(DType::fp16));
  const auto reply = harness.verify([](int, const std::byte*, std::byte*) {});
  CHECK_THAT(text_of(reply), ContainsSubstring("a single call of set A, replay 0: call 0") &&
                                 ContainsSubstring("never been written"));
}

TEST_CASE("what an earlier replay left is not taken for the result") {
  Harness harness(case_of(DType::bf16));
  std::map<std::byte*, std::vector<std::byte>>
      kept;  // the first result for each output, given again ever after
  const auto reply = harness.verify([&](int, const std::byte* input, std::byte* output) {
    auto& result = kept[output];
    if (result.empty()) result.assign(input, input + harness.params.bytes.count);
    std::memcpy(output, result.data(), result.size());
  });
  CHECK_THAT(text_of(reply), ContainsSubstring("a single call of set A, replay 1") &&
                                 ContainsSubstring("the sum of the call before"));
}

TEST_CASE("a call that is wrong only between others is caught back to back") {
  Harness harness(case_of(DType::bf16));
  std::vector<std::byte> previous(harness.params.bytes.count);
  std::byte* last_output = nullptr;
  const auto reply = harness.verify([&](int call, const std::byte* input, std::byte* output) {
    right_copy(harness.params)(call, input, output);
    // Gives the call before once more when the output is another one than last time.
    if (last_output != nullptr && last_output != output) std::memcpy(output, previous.data(), 64);
    std::memcpy(previous.data(), input, previous.size());
    last_output = output;
  });
  CHECK_THAT(text_of(reply), ContainsSubstring("back-to-back calls of set A, replay 0: call 1, ") &&
                                 ContainsSubstring("call before"));
}

TEST_CASE("a collective that can't work in place is caught") {
  Harness harness(case_of(DType::bf16));
  const auto reply = harness.verify([&](int, const std::byte* input, std::byte* output) {
    output[100] = std::byte{0};  // written before all of the input was read
    output[101] = std::byte{0};
    std::memmove(output, input, harness.params.bytes.count);
  });
  CHECK_THAT(text_of(reply),
             ContainsSubstring("a call in place of set A, replay 0: call 0, rank 0, element 50: got 0"));
}

TEST_CASE("what only full-range data shows is found in set B") {
  Harness harness(case_of(DType::fp16));
  const auto reply = harness.verify([&](int, const std::byte* input, std::byte* output) {
    for (std::size_t at = 0; at < harness.params.bytes.count; at += 2) {
      Fp16 element;
      std::memcpy(&element, input + at, 2);
      if ((element.bits & 0x7c00u) == 0) element.bits = 0;  // subnormals flushed to zero
      std::memcpy(output + at, &element, 2);
    }
  });
  CHECK_THAT(text_of(reply), ContainsSubstring("of set B"));
}

TEST_CASE("all calls are made even when the first is wrong, and only the first mismatch is kept") {
  Harness harness(case_of(DType::bf16));
  CopyCollective right(right_copy(harness.params));
  CopyCollective wrong([](int, const std::byte*, std::byte*) {});
  const VerifyBuffers buffers{harness.golden, harness.input, harness.outputs};
  const auto good = verify_case(harness.device, right, harness.params, kExact, {}, buffers, harness.proven);
  const auto bad = verify_case(harness.device, wrong, harness.params, kExact, {}, buffers, harness.proven);
  CHECK(wrong.calls == right.calls);
  CHECK(bad.hashes.size() == good.hashes.size());
  CHECK(bad.calls == 1);
}

TEST_CASE("buffers that can't show a fault are refused") {
  Harness harness(case_of(DType::bf16));
  CopyCollective collective(right_copy(harness.params));
  const auto verify = [&](std::span<std::byte* const> golden, std::span<std::byte* const> outputs) {
    verify_case(harness.device, collective, harness.params, kExact, {}, {golden, harness.input, outputs},
                harness.proven);
  };
  const std::span<std::byte* const> golden(harness.golden);
  CHECK_THROWS_AS(verify(golden.first(1), harness.outputs), InternalError);
  CHECK_THROWS_AS(verify(golden, {}), InternalError);
}

TEST_CASE("data that a right strategy has proven shows the next one's fault as well") {
  Harness harness(case_of(DType::bf16));
  CHECK_FALSE(harness.verify(right_copy(harness.params)).mismatch);
  const auto repeated = harness.verify(right_copy(harness.params));
  CHECK_FALSE(repeated.mismatch);
  CHECK(repeated.elements > 0);
  const auto faulty = harness.verify([&](int call, const std::byte* from, std::byte* to) {
    right_copy(harness.params)(call, from, to);
    to[harness.params.bytes.count - 1] ^= std::byte{0x10};
  });
  CHECK(faulty.mismatch);
}

TEST_CASE("a brief verification is the back-to-back calls of set A") {
  Harness harness(case_of(DType::bf16));
  const auto reply =
      harness.verify(right_copy(harness.params), {.calls_exact = 3, .replays = 1, .brief = true});
  CHECK(reply.calls == 3);
  CHECK_FALSE(reply.mismatch);
}
