#include <array>
#include <cstring>
#include <functional>
#include <vector>

#include "base/half.hpp"
#include "base/hash_bytes.hpp"
#include "support/catch.hpp"
#include "support/single_rank_device.hpp"
#include "worker/verify/check_calls.hpp"
#include "worker/verify/check_parts.hpp"
#include "worker/verify/inputs.hpp"

using namespace ringside;
using Catch::Matchers::ContainsSubstring;
using test::SingleRankDevice;

namespace {

Case case_of(Bytes bytes, Mode mode = Mode::eager) {
  Case params;
  params.mode = mode;
  params.bytes = bytes;
  params.ranks = 1;
  return params;
}

// One rank's allreduce, a copy, with a fault: a function of the call's number, its input and its output.
using Faulty = std::function<void(std::uint64_t call, const std::byte* input, std::byte* output)>;

class FaultyCopy final : public PreparedCollective {
 public:
  explicit FaultyCopy(Faulty fault) : fault_(std::move(fault)) {}
  void enqueue(const std::byte* input, std::byte* output) override { fault_(calls++, input, output); }
  std::uint64_t calls = 0;

 private:
  Faulty fault_;
};

struct Harness {
  Case params;
  SingleRankDevice device{64_MiB};
  CheckedBuffers buffers;
  KnownData data;

  explicit Harness(const Case& of)
      : params(of), buffers(allocate(device, of)), data(fill(device, of, buffers)) {
    paint_red_zones(device, buffers.own);
  }

  static CheckedBuffers allocate(SingleRankDevice& device, const Case& params) {
    const GroupBuffers group = allocate_group(device.arena(), whole_group(params, 0));
    return {allocate_case(device.arena(), params), group.known, group.golden.front()};
  }
  static KnownData fill(SingleRankDevice& device, const Case& params, const CheckedBuffers& buffers) {
    std::vector<std::byte> block(KnownData::block_bytes(params.bytes));
    KnownData data(params, 0, 7, block, 1);
    device.write(const_cast<std::byte*>(buffers.known), block);
    return data;
  }

  CallReply check(Faulty fault, const CallPlan& plan) {
    FaultyCopy collective(std::move(fault));
    const CallReply reply = check_calls(device, collective, params, plan, data, buffers);
    made = collective.calls;
    return reply;
  }

  // What repetitions of `calls` calls leave wrong.
  std::optional<std::string> time(Faulty fault, std::size_t repetitions, int calls) {
    FaultyCopy collective(std::move(fault));
    RepetitionCheck check(device, data, buffers, params.bytes);
    const auto workload =
        device.make_workload(params.mode,
                             [&] {
                               for (int call = 0; call < calls; ++call)
                                 collective.enqueue(buffers.own.input, buffers.own.output);
                             },
                             {.before = [&] { check.before(); }, .after = [&] { check.after(); }});
    check.begin(repetitions, std::nullopt);
    std::vector<double> times(repetitions);
    workload->repeat(times);
    return check.wrong();
  }

  Faulty right() const {
    return [bytes = params.bytes.count](std::uint64_t, const std::byte* input, std::byte* output) {
      std::memcpy(output, input, bytes);
    };
  }
  // Does nothing in the calls that the condition chooses.
  Faulty idle(std::function<bool(std::uint64_t)> when) const {
    return [copy = right(), when = std::move(when)](std::uint64_t call, const std::byte* input,
                                                    std::byte* output) {
      if (!when(call)) copy(call, input, output);
    };
  }

  std::uint64_t made = 0;
};

std::string text_of(const std::optional<std::string>& wrong) {
  return wrong.value_or("nothing");
}

const CallPlan kNineReplays{.calls = 1098};

}  // namespace

TEST_CASE("right calls in a row pass, and as many are checked as were asked for") {
  for (const Bytes bytes : {2_B, 1002_B, 2_KiB, 64_KiB, 1_MiB}) {
    for (const Mode mode : {Mode::eager, Mode::graph}) {
      Harness harness(case_of(bytes, mode));
      const CallReply reply = harness.check(harness.right(), {.calls = 240, .calls_per_replay = 24});
      INFO(bytes.count);
      CHECK(text_of(reply.wrong) == "nothing");
      CHECK(reply.calls == 240);
      CHECK(text_of(harness.time(harness.right(), 5, 3)) == "nothing");
    }
  }
}

TEST_CASE("an output that is stale now and then is caught, and said to be stale", "[planted]") {
  for (const std::uint64_t every : {40, 100, 1000}) {
    Harness harness(case_of(2_KiB));
    const auto reply = harness.check(
        harness.idle([=](std::uint64_t call) { return call % every == every - 1; }), kNineReplays);
    CHECK_THAT(text_of(reply.wrong), ContainsSubstring("call " + std::to_string(every - 1) + " in a row") &&
                                         ContainsSubstring("that of the call before"));
  }
}

TEST_CASE("a strategy that stops to work after many calls is caught", "[planted]") {
  Harness harness(case_of(2_KiB));
  const auto eight_bits =
      harness.check(harness.idle([](std::uint64_t call) { return call >= 256; }), kNineReplays);
  CHECK_THAT(text_of(eight_bits.wrong), ContainsSubstring("call 256 in a row"));
  const auto sixteen_bits = [&](const CallPlan& plan) {
    return harness.check(harness.idle([](std::uint64_t call) { return call >= 65536; }), plan);
  };
  CHECK_FALSE(sixteen_bits(kNineReplays).wrong.has_value());
  CHECK(sixteen_bits({.calls = 488, .unchecked = 65536}).wrong.has_value());
  CHECK(harness.made >= 65536 + 488);
}

TEST_CASE(
    "a strategy that waits for nothing and reads what a peer has not written yet is caught by the next "
    "call",
    "[planted]") {
  Harness harness(case_of(2_KiB));
  std::vector<std::byte> last(2048);
  const auto reply = harness.check(
      [&](std::uint64_t call, const std::byte* input, std::byte* output) {
        if (call > 60) std::memcpy(output, last.data(), 16);
        std::memcpy(output + (call > 60 ? 16 : 0), input + (call > 60 ? 16 : 0), call > 60 ? 2032 : 2048);
        std::memcpy(last.data(), input, 2048);
      },
      {.calls = 122});
  CHECK_THAT(text_of(reply.wrong), ContainsSubstring("call 61 in a row, rank 0"));
}

TEST_CASE("memory that a strategy must not write is looked at", "[planted]") {
  const auto overwrite = [](std::ptrdiff_t from, bool input_too) {
    return [=](std::uint64_t, const std::byte* input, std::byte* output) {
      std::memcpy(output, input, 2048);
      auto* target = input_too ? const_cast<std::byte*>(input) : output;
      std::memset(target + from, 0x11, 64);
    };
  };
  struct Place {
    std::ptrdiff_t from;
    bool input;
    std::string text;
  };
  for (const Place& place : {Place{2048, false, "behind the output"}, Place{-64, false, "before the output"},
                             Place{2048, true, "behind the input"}, Place{-64, true, "before the input"},
                             Place{0, true, "its input was overwritten"}}) {
    INFO(place.text);
    Harness checked(case_of(2_KiB));
    CHECK_THAT(text_of(checked.check(overwrite(place.from, place.input), {.calls = 122}).wrong),
               ContainsSubstring(place.text));
    Harness timed(case_of(2_KiB));
    CHECK_THAT(text_of(timed.time(overwrite(place.from, place.input), 3, 1)), ContainsSubstring(place.text));
  }
}

TEST_CASE("a timed repetition that did not work is caught, whichever it is", "[planted]") {
  for (const std::uint64_t idle : {0, 1, 4}) {
    Harness harness(case_of(2_KiB));
    const auto wrong = harness.time(harness.idle([=](std::uint64_t call) { return call == idle; }), 5, 1);
    CHECK_THAT(text_of(wrong),
               ContainsSubstring("after a timed repetition") && ContainsSubstring("nothing was written"));
  }
}

TEST_CASE("a strategy that works once only is caught by the next repetition's other input", "[planted]") {
  Harness harness(case_of(2_KiB));
  std::vector<std::byte> kept;
  const auto wrong = harness.time(
      [&](std::uint64_t, const std::byte* input, std::byte* output) {
        if (kept.empty()) kept.assign(input, input + 2048);
        std::memcpy(output, kept.data(), kept.size());
      },
      3, 4);
  CHECK_THAT(text_of(wrong), ContainsSubstring("that of the call before"));
}

TEST_CASE("the hashes that are known are those of the data", "[threads]") {
  for (const Collective collective : {Collective::allreduce, Collective::alltoall}) {
    Case params = case_of(6000_B);
    params.collective = collective;
    params.ranks = 3;
    std::vector<std::vector<std::byte>> blocks;
    std::vector<KnownData> data;
    for (int rank = 0; rank < params.ranks; ++rank) {
      blocks.emplace_back(KnownData::block_bytes(params.bytes));
      data.emplace_back(params, rank, 9, blocks.back(), 2);
    }
    for (const std::size_t window : {std::size_t{0}, std::size_t{1}, data[0].windows() - 1}) {
      for (int rank = 0; rank < params.ranks; ++rank) {
        const auto at = static_cast<std::size_t>(rank);
        std::vector<std::byte> expected;
        if (collective == Collective::alltoall) {
          const std::vector<std::size_t> borders = part_borders(params);
          for (const auto& block : blocks) {
            const auto begin = block.begin() + static_cast<std::ptrdiff_t>(KnownData::offset(window));
            expected.insert(expected.end(), begin + static_cast<std::ptrdiff_t>(2 * borders[at]),
                            begin + static_cast<std::ptrdiff_t>(2 * borders[at + 1]));
          }
        } else {
          for (std::size_t i = 0; i < params.count(); ++i) {
            float sum = 0;
            for (const auto& block : blocks) {
              Bf16 value;
              std::memcpy(&value, block.data() + KnownData::offset(window) + 2 * i, 2);
              sum += to_float(value);
            }
            const Bf16 result = to_bf16(sum);
            const auto bytes = std::as_bytes(std::span(&result, 1));
            expected.insert(expected.end(), bytes.begin(), bytes.end());
          }
        }
        CHECK(data[at].output_hash(window) == hash_bytes(expected));
        CHECK(data[at].output_bytes() == expected.size());
      }
    }
  }
}
