#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "base/text.hpp"
#include "report/views/blocks.hpp"
#include "report/writer.hpp"
#include "stats/order.hpp"

namespace ringside {
namespace {

// RFC 4180, but for the line ends: a bare newline, which every reader takes and Unix tools prefer.
std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string text = "\"";
  for (const char c : field) text.append(c == '"' ? 2 : 1, c);
  return text += '"';
}

// Shortest text that reads back to the same number; empty when absent.
std::string number(std::optional<double> value) {
  return value && std::isfinite(*value) ? fmt::format("{}", *value) : "";
}

std::string bound(const Row& row, double Interval::*which) {
  return row.time && row.time->interval95_ns ? number((*row.time->interval95_ns).*which) : "";
}

std::string first_call(const Row& row) {
  std::vector<double> calls;
  for (const LaunchSamples& launch : row.launches) {
    if (launch.first_call_ns) calls.push_back(*launch.first_call_ns);
  }
  return calls.empty() ? "" : number(median(calls));
}

std::string winner(const Document& document, const Row& row) {
  if (!has_result(&row)) return "";  // it did not compete
  switch (standing(find_verdict(document, row.params), entry_name(row.params))) {
    case Standing::winner:
      return "yes";
    case Standing::tied:
      return "tie";
    case Standing::loser:
      return "no";
    case Standing::none:
      return "";
  }
  return "";
}

// Of a row that was not compared, or on one side alone: an empty one.
ComparisonStage last_look(const Row& row) {
  const bool compared = row.comparison && !row.comparison->stages.empty();
  return compared ? row.comparison->stages.back() : ComparisonStage{};
}

std::size_t looks(const Row& row) {
  return row.comparison ? row.comparison->stages.size() : 0;
}

std::string looked(const Row& row, double value) {
  return looks(row) == 0 ? "" : number(value);
}

std::string launch_median(const std::vector<double>& launches_ns) {
  return launches_ns.empty() ? "" : number(median(launches_ns));
}

std::string count(const std::vector<double>& launches_ns) {
  return std::to_string(launches_ns.size());
}

std::string ratio_bound(const Row& row, double Interval::*which) {
  const ComparisonStage look = last_look(row);
  return look.ratio_interval90 ? number((*look.ratio_interval90).*which) : "";
}

struct Column {
  const char* name;
  std::string (*text)(const Document&, const Row&);
};

template <std::optional<double> Statistics::*member>
std::string optional_time(const Document&, const Row& row) {
  return row.time ? number((*row.time).*member) : "";
}

template <std::optional<double> Row::*member>
std::string optional_number(const Document&, const Row& row) {
  return number(row.*member);
}

// Names and order are part of the format: new columns are added at the end.
constexpr Column kColumns[] = {
    {"strategy", [](const Document&, const Row& row) { return row.params.strategy; }},
    {"family", [](const Document&, const Row& row) { return row.params.family; }},
    {"entry", [](const Document&, const Row& row) { return std::to_string(row.params.entry); }},
    {"device", [](const Document&, const Row& row) { return std::string(to_string(row.params.device)); }},
    {"mode", [](const Document&, const Row& row) { return std::string(to_string(row.params.mode)); }},
    {"collective",
     [](const Document&, const Row& row) { return std::string(to_string(row.params.collective)); }},
    {"dtype", [](const Document&, const Row& row) { return std::string(to_string(row.params.dtype)); }},
    {"ranks", [](const Document&, const Row& row) { return std::to_string(row.params.ranks); }},
    {"bytes", [](const Document&, const Row& row) { return std::to_string(row.params.bytes.count); }},
    {"status", [](const Document&, const Row& row) { return std::string(to_string(row.status)); }},
    {"origin", [](const Document&, const Row& row) { return std::string(to_string(row.origin)); }},
    {"median_ns",
     [](const Document&, const Row& row) { return row.time ? number(row.time->median_ns) : ""; }},
    {"ci95_low_ns", [](const Document&, const Row& row) { return bound(row, &Interval::low); }},
    {"ci95_high_ns", [](const Document&, const Row& row) { return bound(row, &Interval::high); }},
    {"min_ns", [](const Document&, const Row& row) { return row.time ? number(row.time->min_ns) : ""; }},
    {"p90_ns", optional_time<&Statistics::p90_ns>},
    {"p99_ns", optional_time<&Statistics::p99_ns>},
    {"samples",
     [](const Document&, const Row& row) { return row.time ? std::to_string(row.time->samples) : ""; }},
    {"launches", [](const Document&, const Row& row) { return std::to_string(row.launches.size()); }},
    {"first_call_ns", [](const Document&, const Row& row) { return first_call(row); }},
    {"algbw_gbps", optional_number<&Row::algbw_gbps>},
    {"busbw_gbps", optional_number<&Row::busbw_gbps>},
    {"floor_ns", optional_number<&Row::floor_ns>},
    {"of_floor", optional_number<&Row::of_floor>},
    {"asked", [](const Document&, const Row& row) { return row.asked.value_or(""); }},
    {"ran", [](const Document&, const Row& row) { return row.ran.value_or(""); }},
    {"winner", winner},
    {"findings", [](const Document&, const Row& row) { return join(row.findings, ";"); }},
};

// What a comparison has beside them, behind the others: the first look at a case, and the one that decided.
constexpr Column kComparisonColumns[] = {
    {"base_ns", [](const Document&, const Row& row) { return launch_median(last_look(row).base_ns); }},
    {"new_ns", [](const Document&, const Row& row) { return launch_median(last_look(row).new_ns); }},
    {"base_launches", [](const Document&, const Row& row) { return count(last_look(row).base_ns); }},
    {"new_launches", [](const Document&, const Row& row) { return count(last_look(row).new_ns); }},
    {"ratio", [](const Document&, const Row& row) { return number(last_look(row).ratio); }},
    {"ratio_ci90_low", [](const Document&, const Row& row) { return ratio_bound(row, &Interval::low); }},
    {"ratio_ci90_high", [](const Document&, const Row& row) { return ratio_bound(row, &Interval::high); }},
    {"p_slower", [](const Document&, const Row& row) { return looked(row, last_look(row).p_slower); }},
    {"p_faster", [](const Document&, const Row& row) { return looked(row, last_look(row).p_faster); }},
    {"threshold",
     [](const Document&, const Row& row) {
       return row.comparison ? looked(row, row.comparison->threshold) : "";
     }},
    {"threshold_origin",
     [](const Document&, const Row& row) {
       return looks(row) == 0 ? "" : std::string(to_string(row.comparison->threshold_origin));
     }},
    {"looks", [](const Document&, const Row& row) { return std::to_string(looks(row)); }},
    {"first_ratio",
     [](const Document&, const Row& row) {
       return looks(row) == 0 ? "" : number(row.comparison->stages.front().ratio);
     }},
    {"reason", [](const Document&, const Row& row) { return row.comparison ? row.comparison->reason : ""; }},
};

// The columns of a table of these results.
std::vector<Column> columns_of(std::span<const NamedDocument> documents) {
  std::vector<Column> columns(std::begin(kColumns), std::end(kColumns));
  if (std::ranges::any_of(documents,
                          [](const NamedDocument& part) { return part.document->comparison.has_value(); }))
    columns.insert(columns.end(), std::begin(kComparisonColumns), std::end(kComparisonColumns));
  return columns;
}

std::string head(const std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (const Column& column : columns) names.emplace_back(column.name);
  return join(names, ",");
}

std::string line(const std::vector<Column>& columns, const Document& document, const Row& row) {
  std::string text;
  for (const Column& column : columns) {
    if (&column != columns.data()) text += ',';
    text += quoted(column.text(document, row));
  }
  return text;
}

class CsvWriter final : public Writer {
 public:
  std::string_view name() const override { return "csv"; }
  std::string_view summary() const override { return "one line per case, units in the column names"; }
  std::string render(const Document& document, const RenderOptions&) const override {
    const NamedDocument alone{"", &document};
    const std::vector<Column> columns = columns_of({&alone, 1});
    std::string text = head(columns) + '\n';
    for (const Row& row : document.rows) text += line(columns, document, row) + '\n';
    return text;
  }
  bool takes_several() const override { return true; }
  // One below the other, with one more column that says whose line it is.
  std::string render_several(std::span<const NamedDocument> documents, const RenderOptions&) const override {
    const std::vector<Column> columns = columns_of(documents);
    std::string text = head(columns) + ",result\n";
    for (const NamedDocument& part : documents) {
      for (const Row& row : part.document->rows)
        text += line(columns, *part.document, row) + ',' + quoted(part.name) + '\n';
    }
    return text;
  }
};

const RegisterWriter<CsvWriter> registered;

}  // namespace
}  // namespace ringside
