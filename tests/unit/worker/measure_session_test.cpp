#include "worker/measure_session.hpp"

#include <algorithm>
#include <array>

#include "support/catch.hpp"
#include "support/thread_team.hpp"

using namespace ringside;

namespace {

// How far behind a border the memory of each of three entries ends, by rank.
using Ends = std::array<std::vector<std::size_t>, 2>;

Ends prepare_three(const std::string& strategy, Bytes message) {
  Ends ends;
  run_host_ranks(2, 16_MiB, [&](HostDevice& device) {
    const ProgressCells cells(device.ranks());
    MeasureSession session(device, cells[0]);
    Case params;
    params.strategy = strategy;
    params.device = DeviceKind::host;
    params.ranks = device.ranks();
    params.bytes = message;
    session.handle(encode(Request(BeginGroup{message, 3, 0})));
    for (int slot = 0; slot < 3; ++slot) {
      session.handle(encode(Request(Prepare{slot, params})));
      ends[static_cast<std::size_t>(device.rank())].push_back(device.arena().used().count % kEntryAlignment);
    }
    session.handle(encode(Request(EndGroup{})));
  });
  return ends;
}

// What the ranks answer to the preparation of a case.
std::array<PrepareReply, 2> prepare_one(const std::string& strategy, Bytes message) {
  std::array<PrepareReply, 2> replies;
  run_host_ranks(2, 64_MiB, [&](HostDevice& device) {
    const ProgressCells cells(device.ranks());
    MeasureSession session(device, cells[0]);
    Case params;
    params.strategy = strategy;
    params.device = DeviceKind::host;
    params.ranks = device.ranks();
    params.bytes = message;
    session.handle(encode(Request(BeginGroup{message, message, 0})));
    decode(session.handle(encode(Request(Prepare{0, params}))),
           replies[static_cast<std::size_t>(device.rank())]);
    session.handle(encode(Request(EndGroup{})));
  });
  return replies;
}

}  // namespace

TEST_CASE("entries of one strategy have the same layout of memory", "[threads]") {
  for (const std::string strategy : {"ring", "tree", "custom", "symmetric"}) {
    for (const auto& ends : prepare_three(strategy, {1002})) {
      CHECK(ends[0] > 2 * 1002);
      CHECK(ends == std::vector(3, ends[0]));
    }
  }
}

TEST_CASE("a strategy that stands for several says which one it took, the same on every rank", "[threads]") {
  struct Expected {
    std::string strategy;
    Bytes message;
    std::vector<std::string> ran;
    std::optional<std::string> chosen_by;
  };
  for (const Expected& expected :
       {Expected{"ring", 2_KiB, {}, std::nullopt}, Expected{"symmetric", 2_KiB, {"direct"}, "size"},
        Expected{"symmetric", 1_MiB, {"direct", "direct:streaming"}, "trial"},
        Expected{"custom", 2_KiB, {"one-shot", "two-shot"}, "trial"},
        Expected{"custom", 2_MiB, {"two-shot", "two-shot:streaming"}, "trial"}}) {
    INFO(expected.strategy << " " << expected.message.count);
    const auto replies = prepare_one(expected.strategy, expected.message);
    CHECK(replies[0].ran == replies[1].ran);
    CHECK(replies[0].chosen_by == expected.chosen_by);
    CHECK(replies[1].chosen_by == expected.chosen_by);
    CHECK(replies[0].ran.has_value() == !expected.ran.empty());
    if (replies[0].ran) CHECK(std::ranges::count(expected.ran, *replies[0].ran) == 1);
    CHECK_FALSE(replies[0].choice_problem.has_value());
  }
}
