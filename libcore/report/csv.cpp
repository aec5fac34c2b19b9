#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "base/text.hpp"
#include "report/sweep_view.hpp"
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

std::string head() {
  std::vector<std::string> names;
  for (const Column& column : kColumns) names.emplace_back(column.name);
  return join(names, ",");
}

std::string line(const Document& document, const Row& row) {
  std::string text;
  for (const Column& column : kColumns) {
    if (&column != kColumns) text += ',';
    text += quoted(column.text(document, row));
  }
  return text;
}

class CsvWriter final : public Writer {
 public:
  std::string_view name() const override { return "csv"; }
  std::string_view summary() const override { return "one line per case, units in the column names"; }
  std::string render(const Document& document, const RenderOptions&) const override {
    std::string text = head() + '\n';
    for (const Row& row : document.rows) text += line(document, row) + '\n';
    return text;
  }
  bool takes_several() const override { return true; }
  // One below the other, with one more column that says whose line it is.
  std::string render_several(std::span<const NamedDocument> documents, const RenderOptions&) const override {
    std::string text = head() + ",result\n";
    for (const NamedDocument& part : documents) {
      for (const Row& row : part.document->rows)
        text += line(*part.document, row) + ',' + quoted(part.name) + '\n';
    }
    return text;
  }
};

const RegisterWriter<CsvWriter> registered;

}  // namespace
}  // namespace ringside
