#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <set>

#include "base/text.hpp"
#include "model/record_builder.hpp"
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

// The lines of a table, each as its fields; RFC 4180 but for the ends of lines.
std::vector<std::vector<std::string>> parse(const std::string& text) {
  std::vector<std::vector<std::string>> lines(1, std::vector<std::string>(1));
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' && quoted && i + 1 < text.size() && text[i + 1] == '"') {
      lines.back().back() += text[++i];
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (text[i] == ',' && !quoted) {
      lines.back().emplace_back();
    } else if (text[i] == '\n' && !quoted) {
      lines.emplace_back(1);
    } else {
      lines.back().back() += text[i];
    }
  }
  return lines;
}

// Whether `text` is the table in the golden file, but for columns that it has beside those of the file.
bool is_golden(const std::string& file, const std::string& text) {
  std::ifstream stream(std::string(RINGSIDE_TESTS_DIR) + "/" + file, std::ios::binary);
  const auto stored = parse({std::istreambuf_iterator<char>(stream), {}});
  const auto actual = parse(text);
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < actual[0].size(); ++i) {
    if (columns.size() < stored[0].size() && actual[0][i] == stored[0][columns.size()]) columns.push_back(i);
  }
  std::vector<std::vector<std::string>> known;
  for (const std::vector<std::string>& line : actual) {
    known.emplace_back();
    for (const std::size_t column : columns) {
      if (column < line.size()) known.back().push_back(line[column]);
    }
  }
  return known == stored || text == golden(file, text);
}

}  // namespace

TEST_CASE("A sweep in CSV has one line per case with units in the column names") {
  const std::string text = csv(host_sweep());
  CHECK(is_golden("data/golden/report/csv_host.csv", text));
}

TEST_CASE("Every number, word and text of a row, its case and its time is a column of CSV") {
  const std::vector<std::string> head = parse(csv(host_sweep())).at(0);
  CHECK(std::set<std::string>(head.begin(), head.end()).size() == head.size());
  int fields = 0;
  for (const RecordType* record : {&record_type<Row>(), &record_type<Case>(), &record_type<Statistics>()}) {
    for (const RecordField& field : record->fields) {
      const ValueType& type = field.type->element != nullptr ? *field.type->element : *field.type;
      if (field.type->kind == ValueKind::list || type.kind == ValueKind::record) continue;
      INFO(field.name);
      CHECK(std::ranges::find(head, field.name) != head.end());
      ++fields;
    }
  }
  CHECK(fields >= 8 + 9 + 5);
}

TEST_CASE("Rows without a time leave their numbers empty in CSV") {
  const std::string text = csv(troubled_sweep());
  CHECK(is_golden("data/golden/report/csv_troubled.csv", text));
}

TEST_CASE("CSV has its header even when there are no rows") {
  SampleDocument sample;
  const std::string text = csv(sample);
  CHECK(text.starts_with(
      "strategy,family,entry,device,mode,collective,dtype,ranks,bytes,status,origin,median_ns,"));
  CHECK(text.find('\n') == text.size() - 1);
}

TEST_CASE("CSV fields with commas or quotes are quoted and quotes doubled, and a newline is no new line") {
  SampleDocument sample;
  sample.timed("ring", 2_KiB, 1).ran = "RING, \"LL\"\nfast";
  CHECK(csv(sample).find(",\"RING, \"\"LL\"\"\\nfast\",") != std::string::npos);
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
  CHECK(is_golden("data/golden/report/csv_comparison.csv", text));
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

TEST_CASE("a result of run-spec has tokens a second in CSV, a line for each cell of its table") {
  SampleDocument sample;
  sample.timed("ring", 2_KiB, 1);
  SpecResult& spec = sample.document.spec.emplace();
  spec.verify_message = 2_KiB;
  SpecCandidate candidate;
  candidate.strategy = "ring";
  candidate.mode = sample.document.rows.front().params.mode;
  candidate.tokens_s = 120.5;
  candidate.plain_tokens_s = 100;
  spec.candidates = {candidate};
  CHECK(csv(sample).find("tokens_s") == std::string::npos);  // an older result
  SpecCell cell;
  cell.batch = 8;
  cell.drafts = 3;
  cell.tokens_s = SpecRange{372, 360, 390};
  spec.estimate.emplace().table = {cell};
  const std::vector<std::vector<std::string>> lines = parse(csv(sample));
  REQUIRE(lines.size() > 2);
  const auto at = [&](std::size_t line, const std::string& name) {
    const auto found = std::find(lines[0].begin(), lines[0].end(), name);
    return lines.at(line).at(static_cast<std::size_t>(found - lines[0].begin()));
  };
  CHECK(at(1, "tokens_s") == "120.5");
  CHECK(at(1, "plain_tokens_s") == "100");
  CHECK(at(2, "tokens_s") == "372");
  CHECK(at(2, "batch") == "8");
  CHECK(at(2, "drafts") == "3");
  CHECK(at(2, "strategy").empty());
}
