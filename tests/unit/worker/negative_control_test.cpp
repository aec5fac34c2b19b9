#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "support/catch.hpp"
#include "support/thread_team.hpp"
#include "worker/verify/element.hpp"
#include "worker/verify/verify_case.hpp"

using namespace ringside;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr Numerics kNumerics{.rank_order = true, .single_rounding = true, .bitwise_across_ranks = true};

// What is wrong with a collective.
enum class Fault {
  none,
  reads_early,       // doesn't wait until its peers' inputs are there
  no_end_barrier,    // returns while peers may still read its input
  skips_an_element,  // never writes the last one
  rounds_each_step   // rounds to the dtype after every addition
};

// The simplest allreduce there is, with one of the faults: when all inputs are there every rank reads all of
// them and sums them in rank order; when all have read them it is complete.
template <typename Element>
class FaultyCollective final : public PreparedCollective {
 public:
  FaultyCollective(HostDevice& device, Fault fault, std::size_t count)
      : device_(device),
        flags_(device.make_flags(
            device.arena().allocate(PeerFlags::size(device.ranks(), kChannels), PeerFlags::kAlignment),
            kChannels)),
        fault_(fault),
        count_(fault == Fault::skips_an_element ? count - 1 : count) {}

  void enqueue(const std::byte* input, std::byte* output) override {
    ++call_;
    flags_.post_all(kReady, call_);
    if (fault_ != Fault::reads_early) flags_.wait_all(kReady, call_);
    // Rank 0 is slow to read, and rank 1 is slow to come to its next call: time for the faults to show.
    if (fault_ == Fault::no_end_barrier && device_.rank() == 0) pause();
    std::vector<float> sums(count_);
    for (int rank = 0; rank < device_.ranks(); ++rank) add(sums, device_.arena().on_rank(rank, input));
    if (fault_ != Fault::no_end_barrier) {
      flags_.post_all(kDone, call_);
      flags_.wait_all(kDone, call_);
    }
    for (std::size_t i = 0; i < count_; ++i) {
      const Element result = Format<Element>::round(sums[i]);
      std::memcpy(output + i * sizeof(Element), &result, sizeof result);
    }
    if (fault_ == Fault::reads_early && device_.rank() == 1) pause();
  }

 private:
  static constexpr int kReady = 0;
  static constexpr int kDone = 1;
  static constexpr int kChannels = 2;

  static void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(10)); }

  void add(std::vector<float>& sums, const std::byte* input) const {
    for (std::size_t i = 0; i < count_; ++i) {
      Element element;
      std::memcpy(&element, input + i * sizeof(Element), sizeof element);
      sums[i] += to_float(element);
      if (fault_ == Fault::rounds_each_step) sums[i] = to_float(Format<Element>::round(sums[i]));
    }
  }

  HostDevice& device_;
  PeerFlags flags_;
  Fault fault_;
  std::size_t count_;
  std::uint64_t call_ = 0;
};

// What each rank finds.
template <typename Element>
std::vector<VerifyReply> verify(Fault fault, int ranks, std::size_t count) {
  Case params;
  params.ranks = ranks;
  params.dtype = sizeof(Element) == 2 ? DType::bf16 : DType::fp32;
  params.bytes = {count * sizeof(Element)};
  std::vector<VerifyReply> replies(static_cast<std::size_t>(ranks));
  run_host_ranks(ranks, 1_MiB, [&](HostDevice& device) {
    FaultyCollective<Element> collective(device, fault, count);
    std::vector<std::byte*> blocks;
    for (int i = 0; i < 3 + 1 + 8; ++i) blocks.push_back(device.arena().allocate(params.bytes));
    device.bootstrap().barrier();
    const std::span<std::byte* const> all(blocks);
    ProvenOutputs proven;
    const VerifyBuffers buffers{all.first(3), blocks[3], all.subspan(4)};
    replies[static_cast<std::size_t>(device.rank())] =
        verify_case(device, collective, params, kNumerics, {.seed = 42}, buffers, proven);
  });
  return replies;
}

std::string text_of(const VerifyReply& reply) {
  return reply.mismatch ? reply.mismatch->text : "no mismatch";
}

}  // namespace

TEST_CASE("a right collective passes on every rank, and the ranks agree to the bit", "[threads]") {
  for (const int ranks : {2, 3, 4}) {
    const auto half = verify<Bf16>(Fault::none, ranks, 1001);
    const auto single = verify<float>(Fault::none, ranks, 333);
    for (const auto& replies : {half, single}) {
      for (const VerifyReply& reply : replies) {
        CHECK(text_of(reply) == "no mismatch");
        CHECK(reply.hashes == replies[0].hashes);
        CHECK(reply.calls == (2 + 2 * 8 + 1) + (2 + 2 * 2 + 1));
      }
    }
  }
}

// The next two race on purpose, so they have no tag that a race detector would run them for.

TEST_CASE("a collective that reads its peers' inputs too early is caught") {
  const auto replies = verify<Bf16>(Fault::reads_early, 2, 1000);
  CHECK_THAT(text_of(replies[0]), ContainsSubstring("rank 0") && ContainsSubstring("got "));
}

TEST_CASE("a collective that returns while peers still read its input is caught by back-to-back calls") {
  const auto replies = verify<Bf16>(Fault::no_end_barrier, 2, 1000);
  CHECK_THAT(text_of(replies[0]),
             ContainsSubstring("back-to-back calls of set A") &&
                 ContainsSubstring("the contribution of rank 1 were already that of the next call"));
}

TEST_CASE("a collective that skips an element is caught on every rank", "[threads]") {
  for (const VerifyReply& reply : verify<float>(Fault::skips_an_element, 3, 777)) {
    CHECK_THAT(text_of(reply), ContainsSubstring("a single call of set A") &&
                                   ContainsSubstring("element 776: got ") &&
                                   ContainsSubstring("as if it had never been written"));
  }
}

TEST_CASE("a collective that rounds at every step is caught where it declares a single rounding",
          "[threads]") {
  for (const VerifyReply& reply : verify<Bf16>(Fault::rounds_each_step, 3, 1000)) {
    CHECK_THAT(text_of(reply), ContainsSubstring("of set B") && ContainsSubstring(" ulp, where "));
  }
}
