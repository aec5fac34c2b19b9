// Every way of the host device to reduce, as ranks on threads: values, order, bits, and all the races that
// back-to-back calls on reused buffers can have.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <string>

#include "base/half.hpp"
#include "strategy/host/direct_reduction.hpp"
#include "strategy/host/one_shot.hpp"
#include "strategy/host/two_shot.hpp"
#include "strategy/registry.hpp"
#include "support/catch.hpp"
#include "support/thread_team.hpp"

using namespace ringside;

namespace {

using Array = std::vector<std::byte>;

// A way to reduce, made ready on a rank. Beside the strategies the ways that they choose among.
using Prepare = std::function<std::unique_ptr<PreparedCollective>(HostDevice&, const Case&)>;

const std::map<std::string, Prepare>& ways() {
  static const auto strategy = [](const std::string& name) {
    return [name](HostDevice& device, const Case& params) {
      return find_strategy(name, DeviceKind::host)->prepare(device, params);
    };
  };
  static const auto direct = [](auto make) {
    return [make](HostDevice& device, const Case& params) {
      std::unique_ptr<PreparedCollective> way = make(device, params);
      device.bootstrap().barrier();
      return way;
    };
  };
  using std::make_unique;
  static const std::map<std::string, Prepare> all = {
      {"ring", strategy("ring")},
      {"tree", strategy("tree")},
      {"custom", strategy("custom")},
      {"symmetric", strategy("symmetric")},
      {"one-shot",
       direct([](auto& d, auto& c) { return make_unique<OneShot>(d, c, OneShot::allocate(d.arena(), c)); })},
      {"two-shot", direct([](auto& d, auto& c) {
         return make_unique<TwoShot>(d, c, TwoShot::allocate(d.arena()), false);
       })},
      {"two-shot, streaming", direct([](auto& d, auto& c) {
         return make_unique<TwoShot>(d, c, TwoShot::allocate(d.arena()), true);
       })},
      {"direct, streaming", direct([](auto& d, auto& c) {
         return make_unique<DirectReduction>(d, c, DirectReduction::allocate(d.arena()), true);
       })},
  };
  return all;
}

void store(float value, DType dtype, std::byte* target) {
  if (dtype == DType::fp32) {
    std::memcpy(target, &value, 4);
  } else {
    const std::uint16_t bits = dtype == DType::bf16 ? to_bf16(value).bits : to_fp16(value).bits;
    std::memcpy(target, &bits, 2);
  }
}

float load(const std::byte* source, DType dtype) {
  if (dtype == DType::fp32) {
    float value;
    std::memcpy(&value, source, 4);
    return value;
  }
  std::uint16_t bits;
  std::memcpy(&bits, source, 2);
  return dtype == DType::bf16 ? to_float(Bf16{bits}) : to_float(Fp16{bits});
}

// Element i of rank r's input in a call. They differ in all three, so that a stale, torn or swapped read
// shows.
float whole_number(std::size_t i, int rank, int call) {
  return static_cast<float>(
      (i * 7 + static_cast<std::size_t>(rank) * 5 + static_cast<std::size_t>(call) * 11) % 16);
}

// Values whose sum depends on the order.
float rough_number(std::size_t i, int rank, int call) {
  const float magnitude =
      std::ldexp(1.0f, static_cast<int>((i + static_cast<std::size_t>(3 * rank + call)) % 12));
  const float sign = (i / 3 + static_cast<std::size_t>(rank)) % 2 == 0 ? 1.0f : -1.0f;
  return sign * magnitude * (1.0f + whole_number(i, rank, call) / 17.0f);
}

using Values = float (*)(std::size_t i, int rank, int call);

// Inputs repeat after so many elements: quickly made, and prime, so that no wrong offset looks right.
constexpr std::size_t kPeriod = 251;

// An array whose first elements are given, and then again and again.
Array repeated(const Case& params, const std::function<float(std::size_t)>& element) {
  const std::size_t size = element_size(params.dtype);
  Array array(params.bytes.count);
  const std::size_t once = std::min(kPeriod, params.count());
  for (std::size_t i = 0; i < once; ++i) store(element(i), params.dtype, array.data() + i * size);
  for (std::size_t have = once * size; have < array.size(); have *= 2) {
    std::memcpy(array.data() + have, array.data(), std::min(have, array.size() - have));
  }
  return array;
}

Array input_of(const Case& params, Values values, int rank, int call) {
  return repeated(params, [&](std::size_t i) { return values(i, rank, call); });
}

// Element i of an input, as it is after rounding to the dtype.
float term(const Case& params, Values values, std::size_t i, int rank, int call) {
  std::byte rounded[4];
  store(values(i % kPeriod, rank, call), params.dtype, rounded);
  return load(rounded, params.dtype);
}

// The sum of element i in fp32 in the order first, first + 1, ..., around the ranks.
float sum_from(const Case& params, Values values, std::size_t i, int call, int first) {
  float sum = term(params, values, i, first, call);
  for (int step = 1; step < params.ranks; ++step) {
    sum += term(params, values, i, (first + step) % params.ranks, call);
  }
  return sum;
}

Array sum_in_rank_order(const Case& params, Values values, int call) {
  return repeated(params, [&](std::size_t i) { return sum_from(params, values, i, call, 0); });
}

Case make_case(int ranks, DType dtype, std::size_t count) {
  Case params;
  params.ranks = ranks;
  params.dtype = dtype;
  params.bytes = {count * element_size(dtype)};
  return params;
}

struct Run {
  Case params;
  bool in_place = false;
  int calls = 50;
  Values values = whole_number;
  std::size_t offset = 0;  // of the buffers, in elements: odd alignments
};

// Outputs by [rank][call] of back-to-back calls: no rank waits for another between two calls. Each input is
// overwritten and each output poisoned as soon as the call is over.
std::vector<std::vector<Array>> outputs_of(const Prepare& prepare, const Run& run) {
  std::vector<std::vector<Array>> outputs(static_cast<std::size_t>(run.params.ranks));
  // Room for the buffers and for what the hungriest way takes: both slots of every peer, and a trial.
  const Bytes arena{(1_MiB).count + (2 * outputs.size() + 6) * run.params.bytes.count};
  run_host_ranks(run.params.ranks, arena, [&](HostDevice& device) {
    std::vector<Array> inputs;
    for (int call = 0; call < run.calls; ++call) {
      inputs.push_back(input_of(run.params, run.values, device.rank(), call));
    }
    std::vector<Array>& mine = outputs[static_cast<std::size_t>(device.rank())];
    mine.assign(static_cast<std::size_t>(run.calls), Array(run.params.bytes.count));

    const std::size_t shift = run.offset * element_size(run.params.dtype);
    const Bytes room{run.params.bytes.count + shift + 64};
    std::byte* const input = device.arena().allocate(room) + shift;
    std::byte* const output = run.in_place ? input : device.arena().allocate(room) + shift;
    const auto way = prepare(device, run.params);
    for (std::size_t call = 0; call < mine.size(); ++call) {
      device.write(input, inputs[call]);
      way->enqueue(input, output);
      device.read(mine[call], output);
      std::memset(input, 0xCB, run.params.bytes.count);
      std::memset(output, 0xCB, run.params.bytes.count);
    }
  });
  return outputs;
}

// What is wrong with the outputs, by the first rank and call; empty: nothing.
std::string first_difference(const std::vector<std::vector<Array>>& outputs,
                             const std::function<Array(int call)>& expected) {
  for (std::size_t call = 0; call < outputs[0].size(); ++call) {
    const Array sum = expected(static_cast<int>(call));
    for (std::size_t rank = 0; rank < outputs.size(); ++rank) {
      if (outputs[rank][call] != sum) {
        const auto at =
            std::mismatch(sum.begin(), sum.end(), outputs[rank][call].begin()).first - sum.begin();
        return "rank " + std::to_string(rank) + ", call " + std::to_string(call) + ", byte " +
               std::to_string(at);
      }
    }
  }
  return "";
}

std::string describe(const std::string& way, const Run& run) {
  return way + ", " + std::to_string(run.params.ranks) + " ranks, " + std::to_string(run.params.count()) +
         " x " + std::string(to_string(run.params.dtype)) + (run.in_place ? ", in place" : "");
}

std::string check_exact(const std::string& way, const Run& run) {
  const std::string difference = first_difference(outputs_of(ways().at(way), run), [&](int call) {
    return sum_in_rank_order(run.params, whole_number, call);
  });
  return difference.empty() ? "" : describe(way, run) + ": " + difference;
}

}  // namespace

// A test for each way, so that each has its own time limit.
struct RingWay {
  static constexpr const char* name = "ring";
};
struct TreeWay {
  static constexpr const char* name = "tree";
};
struct CustomWay {
  static constexpr const char* name = "custom";
};
struct SymmetricWay {
  static constexpr const char* name = "symmetric";
};
struct OneShotWay {
  static constexpr const char* name = "one-shot";
};
struct TwoShotWay {
  static constexpr const char* name = "two-shot";
};
struct StreamingTwoShotWay {
  static constexpr const char* name = "two-shot, streaming";
};
struct StreamingDirectWay {
  static constexpr const char* name = "direct, streaming";
};

TEMPLATE_TEST_CASE("back-to-back calls give exact sums on every rank, whatever the ranks, sizes and buffers",
                   "[threads]", RingWay, TreeWay, CustomWay, SymmetricWay, OneShotWay, TwoShotWay,
                   StreamingTwoShotWay, StreamingDirectWay) {
  // No multiple of anything, less than a line per rank, one element, nothing, and more than one packet.
  const std::pair<std::size_t, int> counts_and_calls[] = {{1003, 50}, {31, 12}, {1, 12}, {0, 2}, {8209, 6}};
  int turn = 0;
  for (const int ranks : {2, 3, 4, 5, 8}) {
    for (const auto& [count, calls] : counts_and_calls) {
      const Case params = make_case(ranks, static_cast<DType>(turn % 3), count);
      CHECK(check_exact(TestType::name, {.params = params, .in_place = turn % 2 == 1, .calls = calls}) == "");
      ++turn;
    }
  }
}

TEMPLATE_TEST_CASE("messages of many blocks are summed exactly in every dtype, in place and out of place",
                   "[threads]", RingWay, TreeWay, CustomWay, SymmetricWay, OneShotWay, TwoShotWay,
                   StreamingTwoShotWay, StreamingDirectWay) {
  for (const DType dtype : {DType::bf16, DType::fp16, DType::fp32}) {
    const Run in_place{.params = make_case(2, dtype, 40'001), .in_place = true, .calls = 2};
    CHECK(check_exact(TestType::name, in_place) == "");
    CHECK(check_exact(TestType::name, {.params = make_case(3, dtype, 60'001), .calls = 2}) == "");
  }
}

TEST_CASE("buffers may begin at any element", "[threads]") {
  for (const auto& [way, prepare] : ways()) {
    for (const std::size_t offset : {1u, 3u, 17u}) {
      const Run run{.params = make_case(3, DType::bf16, 777), .calls = 5, .offset = offset};
      CHECK(check_exact(way, run) == "");
    }
  }
}

TEST_CASE("16 ranks on fewer cores come through", "[threads]") {
  for (const auto& [way, prepare] : ways()) {
    CHECK(check_exact(way, {.params = make_case(16, DType::fp16, 3001), .calls = 3}) == "");
  }
}

TEST_CASE("a declared rank order is the order of the sum, with one rounding", "[threads]") {
  for (const Strategy* strategy : find_strategies("all", DeviceKind::host)) {
    if (!strategy->numerics().rank_order) continue;
    for (const DType dtype : {DType::bf16, DType::fp16, DType::fp32}) {
      for (const int ranks : {2, 3, 5}) {
        const Run run{.params = make_case(ranks, dtype, 2049), .calls = 5, .values = rough_number};
        const auto outputs = outputs_of(ways().at(std::string(strategy->name())), run);
        INFO(describe(std::string(strategy->name()), run));
        CHECK(first_difference(outputs, [&](int call) {
                return sum_in_rank_order(run.params, rough_number, call);
              }) == "");
      }
    }
  }
}

TEST_CASE("ring sums slice j in the order j, j + 1, ... and rounds once", "[threads]") {
  for (const DType dtype : {DType::bf16, DType::fp16, DType::fp32}) {
    const std::size_t slice = 64 / element_size(dtype) * 3;
    for (const int ranks : {2, 3, 5}) {
      const Run run{.params = make_case(ranks, dtype, slice * static_cast<std::size_t>(ranks)),
                    .calls = 5,
                    .values = rough_number};
      INFO(describe("ring", run));
      CHECK(first_difference(outputs_of(ways().at("ring"), run), [&](int call) {
              Array result(run.params.bytes.count);
              for (std::size_t i = 0; i < run.params.count(); ++i) {
                const float sum = sum_from(run.params, rough_number, i, call, static_cast<int>(i / slice));
                store(sum, dtype, result.data() + i * element_size(dtype));
              }
              return result;
            }) == "");
    }
  }
}

TEST_CASE("tree sums (left + right) + own at every node and rounds once at the root", "[threads]") {
  const Run run{.params = make_case(5, DType::bf16, 1000), .calls = 5, .values = rough_number};
  CHECK(first_difference(outputs_of(ways().at("tree"), run), [&](int call) {
          return repeated(run.params, [&](std::size_t i) {
            const auto x = [&](int rank) { return term(run.params, rough_number, i, rank, call); };
            return (((x(3) + x(4)) + x(1)) + x(2)) + x(0);
          });
        }) == "");
}

TEST_CASE("strategies take turns on one arena that holds what others left there", "[threads]") {
  constexpr int kRanks = 3;
  const Case params = make_case(kRanks, DType::fp32, 1234);
  std::vector<std::string> wrong(kRanks);
  run_host_ranks(kRanks, 1_MiB, [&](HostDevice& device) {
    const auto rank = static_cast<std::size_t>(device.rank());
    // Dirt from an earlier group of cases: nobody may count on zeroes.
    std::memset(device.arena().allocate(512_KiB), 0xFF, (512_KiB).count);
    device.arena().rewind({});
    std::byte* const input = device.arena().allocate(params.bytes);
    std::byte* const output = device.arena().allocate(params.bytes);
    std::vector<std::unique_ptr<PreparedCollective>> prepared;
    for (const auto& [way, prepare] : ways()) prepared.push_back(prepare(device, params));
    int call = 0;
    for (int round = 0; round < 20; ++round) {
      for (const auto& collective : prepared) {
        device.write(input, input_of(params, whole_number, device.rank(), call));
        collective->enqueue(input, output);
        Array result(params.bytes.count);
        device.read(result, output);
        if (result != sum_in_rank_order(params, whole_number, call)) {
          wrong[rank] += "call " + std::to_string(call) + " ";
        }
        ++call;
      }
    }
  });
  CHECK(wrong == std::vector<std::string>(kRanks));
}
