#include <limits>

#include "base/text.hpp"
#include "report/writer.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/sample_comparison.hpp"
#include "support/sample_document.hpp"

using namespace ringside;
using namespace ringside::test;

namespace {

std::string csv(const SampleDocument& sample) {
  return find_writer("csv")->render(sample.document, {});
}

// The field of the only row under `column`; commas in quoted fields are not expected.
std::string field(const std::string& text, const std::string& column) {
  const std::vector<std::string> lines = split(text, '\n');
  const std::vector<std::string> names = split(lines.at(0), ',');
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == column) return split(lines.at(1), ',').at(i);
  }
  return "no such column";
}

}  // namespace

TEST_CASE("A sweep in CSV has one line per case with units in the column names") {
  const std::string text = csv(host_sweep());
  CHECK(text == golden("data/golden/report/csv_host.csv", text));
}

TEST_CASE("Rows without a time leave their numbers empty in CSV") {
  const std::string text = csv(troubled_sweep());
  CHECK(text == golden("data/golden/report/csv_troubled.csv", text));
}

TEST_CASE("CSV has its header even when there are no rows") {
  SampleDocument sample;
  const std::string text = csv(sample);
  CHECK(text.starts_with(
      "strategy,family,entry,device,mode,collective,dtype,ranks,bytes,status,origin,median_ns,"));
  CHECK(text.find('\n') == text.size() - 1);
}

TEST_CASE("CSV fields with commas, quotes or newlines are quoted and quotes doubled") {
  SampleDocument sample;
  sample.timed("ring", 2_KiB, 1).ran = "RING, \"LL\"\nfast";
  CHECK(csv(sample).find(",\"RING, \"\"LL\"\"\nfast\",") != std::string::npos);
}

TEST_CASE("Numbers in CSV read back to the bit, and what is no number is empty") {
  SampleDocument sample;
  Row& row = sample.timed("ring", 2_KiB, 1);
  row.time->median_ns = 1000.0 / 3;
  row.floor_ns = std::numeric_limits<double>::quiet_NaN();
  row.of_floor = 0.25;
  row.launches.clear();
  const std::string text = csv(sample);
  CHECK(std::stod(field(text, "median_ns")) == 1000.0 / 3);
  CHECK(field(text, "floor_ns").empty());
  CHECK(field(text, "of_floor") == "0.25");
  CHECK(field(text, "first_call_ns").empty());
  CHECK(field(text, "launches") == "0");
}

TEST_CASE("The winner column tells yes, no, tie, or nothing where no verdict was given") {
  SampleDocument sample;
  sample.timed("ring", 2_KiB, 1);
  CHECK(field(csv(sample), "winner").empty());
  sample.win(2_KiB, "ring", 1.5);
  CHECK(field(csv(sample), "winner") == "yes");
  sample.document.verdicts[0].winner = "tree";
  CHECK(field(csv(sample), "winner") == "no");
  sample.document.verdicts[0].winner.reset();
  sample.document.verdicts[0].tied = {"ring", "tree"};
  CHECK(field(csv(sample), "winner") == "tie");
}

TEST_CASE("A comparison in CSV has one line per compared case, and columns of its own behind the others") {
  const std::string text = find_writer("csv")->render(sample_comparison(), {});
  CHECK(text == golden("data/golden/report/csv_comparison.csv", text));
  const std::vector<std::string> lines = split(text, '\n');
  CHECK(lines.size() == 1 + 6 + 1);
  CHECK(lines.at(0).starts_with(split(csv(host_sweep()), '\n').at(0) + ",base_ns,new_ns,"));
  CHECK(std::stod(field(text, "base_ns")) == Catch::Approx(2008));
  CHECK(std::stod(field(text, "new_ns")) == Catch::Approx(2010.008));
  CHECK(std::stod(field(text, "ratio")) == Catch::Approx(1.001));
  CHECK(field(text, "status") == "pass");
}

TEST_CASE("Beside a sweep, the CSV of a comparison keeps its columns") {
  const SampleDocument sweep = host_sweep();
  const Document comparison = sample_comparison();
  const NamedDocument both[] = {{"a", &sweep.document}, {"b", &comparison}};
  const std::vector<std::string> lines = split(find_writer("csv")->render_several(both, {}), '\n');
  const std::size_t columns = split(lines.at(0), ',').size();
  CHECK(lines.at(0).ends_with(",looks,first_ratio,reason,result"));
  CHECK(split(lines.at(1), ',').size() == columns);
  CHECK(lines.at(1).ends_with(",,,a"));
  CHECK(lines.at(lines.size() - 2).ends_with("not in the base,b"));
}
