#include "measure/session.hpp"

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

}  // namespace

TEST_CASE("entries of one strategy have the same layout of memory", "[threads]") {
  for (const std::string strategy : {"ring", "tree", "custom", "symmetric"}) {
    for (const auto& ends : prepare_three(strategy, {1002})) {
      CHECK(ends[0] > 2 * 1002);
      CHECK(ends == std::vector(3, ends[0]));
    }
  }
}
