#include "report/views/first_calls.hpp"

#include "support/catch.hpp"
#include "support/sample_document.hpp"

using namespace ringside;

TEST_CASE("what a process pays once is shown where it takes longest, an entry's lines together") {
  test::SampleDocument sample;
  const auto add = [&](const std::string& entry, Bytes bytes, double init_ns) {
    Row& row = sample.timed(entry, bytes, 1);
    for (LaunchSamples& launch : row.launches)
      launch.nccl_calls = {{"ncclCommInitRank", 1, init_ns * (launch.launch + 1)}};
  };
  add("nccl-ring", 2_KiB, 100e6);
  add("nccl-tree", 2_KiB, 50e6);
  add("nccl-ring", 4_KiB, 1e6);
  sample.document.rows[1].launches[0].nccl_calls.clear();  // there another entry came first
  const TitledGrid grid = first_call_grid(sample.document);
  REQUIRE(grid.columns.size() == 6);
  std::vector<std::string> lines;
  for (std::size_t y = 0; y < grid.columns[0].cells.size(); ++y) {
    std::string line;
    for (const GridColumn& column : grid.columns) line += column.cells[y].text + '|';
    lines.push_back(line);
  }
  CHECK(lines == std::vector<std::string>{"nccl-ring|first call|1|3 of 3|0.0100|2K bf16 eager|",
                                          "nccl-ring|ncclCommInitRank|1|3 of 3|200|2K bf16 eager|",
                                          "nccl-tree|first call|1|3 of 3|0.0100|2K bf16 eager|",
                                          "nccl-tree|ncclCommInitRank|1|2 of 3|125|2K bf16 eager|"});
}

TEST_CASE("where nothing was measured there is nothing that is paid once") {
  test::SampleDocument sample;
  sample.untimed("nccl-nvls", 2_KiB, Status::skipped, {});
  CHECK(first_call_grid(sample.document).empty());
}
