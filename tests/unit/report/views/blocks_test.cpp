#include "report/views/blocks.hpp"

#include "report/views/cell.hpp"
#include "support/catch.hpp"
#include "support/sample_document.hpp"

using namespace ringside;
using test::SampleDocument;

TEST_CASE("A block has ascending sizes and entries in the Document's order") {
  SampleDocument sample;
  sample.timed("tree", 8_KiB, 3);
  sample.timed("custom", 8_KiB, 2);
  sample.timed("custom", 2_KiB, 1);
  const std::vector<SweepBlock> blocks = sweep_blocks(sample.document);
  REQUIRE(blocks.size() == 1);
  CHECK(blocks[0].entries == std::vector<std::string>{"tree", "custom"});
  REQUIRE(blocks[0].lines.size() == 2);
  CHECK(blocks[0].lines[0].bytes == 2_KiB);
  CHECK(blocks[0].lines[0].rows[0] == nullptr);
  CHECK(blocks[0].lines[0].rows[1] == &sample.document.rows[2]);
}

TEST_CASE("An entry that was skipped throughout is no column, one that failed is") {
  SampleDocument sample;
  sample.row("nvls", 2_KiB, Status::skipped);
  sample.row("tree", 2_KiB, Status::failed);
  sample.timed("custom", 2_KiB, 2);
  CHECK(sweep_blocks(sample.document).at(0).entries == std::vector<std::string>{"tree", "custom"});
}

TEST_CASE("The best row is the winner's, and without a winner the fastest that counts") {
  SampleDocument sample;
  sample.timed("ring", 2_KiB, 2);
  sample.timed("tree", 2_KiB, 1.99);
  sample.timed("late", 2_KiB, 1).status = Status::failed;
  CHECK(sweep_blocks(sample.document).at(0).lines.at(0).best == &sample.document.rows[1]);
  sample.win(2_KiB, "ring", 1.02);
  CHECK(sweep_blocks(sample.document).at(0).lines.at(0).best == &sample.document.rows[0]);
}

TEST_CASE("A verdict holds for its own dtype and mode") {
  SampleDocument sample;
  sample.timed("ring", 2_KiB, 2);
  sample.params.mode = Mode::graph;
  sample.timed("ring", 2_KiB, 2);
  sample.win(2_KiB, "ring", 1.5);
  const std::vector<SweepBlock> blocks = sweep_blocks(sample.document);
  REQUIRE(blocks.size() == 2);
  CHECK(blocks[0].lines[0].verdict == nullptr);
  CHECK(blocks[1].lines[0].verdict == &sample.document.verdicts[0]);
}

TEST_CASE("A row that failed after it was timed shows the failure, not the time") {
  SampleDocument sample;
  Row& row = sample.timed("ring", 2_KiB, 2);
  row.status = Status::timeout;
  CHECK(cell_text(&row, {}, Standing::none).value == "timeout");
  row.status = Status::failed;
  row.findings = {"wrong-data:ring 2K bf16 eager"};
  CHECK(cell_text(&row, {}, Standing::none).value == "wrong");
  CHECK(cell_text(nullptr, {}, Standing::none).value == "-");
}

TEST_CASE("Uncertainty shows from 5 % of the median, by the farther bound, and when there is no interval") {
  SampleDocument sample;
  Row& row = sample.timed("ring", 2_KiB, 2, 0.049);
  CHECK(cell_text(&row, {}, Standing::none).uncertainty.empty());
  row.time->interval95_ns = Interval{1990, 2160};
  CHECK(cell_text(&row, {}, Standing::none).uncertainty == "±8%");
  row.time->interval95_ns = Interval{1990, 1e9};
  CHECK(cell_text(&row, {}, Standing::none).uncertainty == "±>999%");
  row.time->interval95_ns.reset();
  CHECK(cell_text(&row, {}, Standing::none).uncertainty == "±?");
  row.origin = Origin::modelled;
  CHECK(cell_text(&row, {}, Standing::none).uncertainty.empty());
  CHECK(cell_text(&row, {}, Standing::none).value == "~2.00");
}

TEST_CASE("A block's times share a unit: us, unless all are below one or none below a thousand") {
  const auto unit_of = [](double fastest_us, double slowest_us) {
    SampleDocument sample;
    sample.timed("ring", 2_KiB, fastest_us);
    sample.timed("ring", 4_KiB, slowest_us);
    return time_unit(sweep_blocks(sample.document).at(0)).name;
  };
  CHECK(unit_of(0.2, 0.9) == "ns");
  CHECK(unit_of(0.2, 1.1) == "us");
  CHECK(unit_of(900, 20000) == "us");
  CHECK(unit_of(1000, 20000) == "ms");
}
