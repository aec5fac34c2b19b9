#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <utility>
#include <vector>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "model/record_type.hpp"
#include "report/views/blocks.hpp"
#include "report/writer.hpp"
#include "stats/order.hpp"

namespace ringside {
namespace {

// A text as a cell, on one line. A spreadsheet would take one that begins with one of these for a formula: an
// apostrophe before it says that it is text.
std::string text_cell(const std::string& field) {
  std::string text = printable(field);
  const bool starts =
      !field.empty() && std::string_view("=+-@\t\r").find(field.front()) != std::string_view::npos;
  return starts || line_start(text) != text ? "'" + text : text;
}

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

std::string first_call(const Document&, const Row& row) {
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

using Text = std::function<std::string(const Document&, const Row&)>;

struct Column {
  std::string_view name;
  Text text;
};

const ValueType& inside(const ValueType& type) {
  return type.kind == ValueKind::optional ? *type.element : type;
}

// Fields from a row to what is in it: "time.interval95_ns.low".
std::vector<const RecordField*> fields_of(std::string_view path) {
  std::vector<const RecordField*> fields;
  const RecordType* record = &row_record();
  for (const std::string& name : split(path, '.')) {
    fields.push_back(&record->field(name));
    const ValueType& type = inside(*fields.back()->type);
    record = type.kind == ValueKind::record ? &type.record() : nullptr;
  }
  return fields;
}

Text value_at(std::string_view path) {
  return [fields = fields_of(path)](const Document&, const Row& row) -> std::string {
    const void* value = &row;
    for (std::size_t i = 0; i + 1 < fields.size(); ++i) {
      value = fields[i]->of(value);
      if (fields[i]->type->kind != ValueKind::optional) continue;
      const std::span<const std::byte> there = fields[i]->type->elements(value);
      if (there.empty()) return "";
      value = there.data();
    }
    const std::string cell = cell_text(*fields.back()->type, fields.back()->of(value));
    return inside(*fields.back()->type).kind == ValueKind::text ? text_cell(cell) : cell;
  };
}

// Names and order are part of the format. A column is what the field at a path holds, or has a function.
struct KnownColumn {
  std::string_view name;
  std::string_view path;
  std::string (*text)(const Document&, const Row&) = nullptr;
};

constexpr KnownColumn kColumns[] = {
    {"strategy", "params.strategy"},
    {"family", "params.family"},
    {"entry", "params.entry"},
    {"device", "params.device"},
    {"mode", "params.mode"},
    {"collective", "params.collective"},
    {"dtype", "params.dtype"},
    {"ranks", "params.ranks"},
    {"bytes", "params.bytes"},
    {"status", "status"},
    {"origin", "origin"},
    {"median_ns", "time.median_ns"},
    {"ci95_low_ns", "time.interval95_ns.low"},
    {"ci95_high_ns", "time.interval95_ns.high"},
    {"min_ns", "time.min_ns"},
    {"p90_ns", "time.p90_ns"},
    {"p99_ns", "time.p99_ns"},
    {"samples", "time.samples"},
    {"launches", "", [](const Document&, const Row& row) { return std::to_string(launch_count(row)); }},
    {"first_call_ns", "", first_call},
    {"algbw_gbps", "algbw_gbps"},
    {"busbw_gbps", "busbw_gbps"},
    {"floor_ns", "floor_ns"},
    {"of_floor", "of_floor"},
    {"asked", "asked"},
    {"ran", "ran"},
    {"winner", "", winner},
    {"findings", "", [](const Document&, const Row& row) { return text_cell(join(row.findings, ";")); }},
};

bool fits_a_cell(const ValueType& type) {
  switch (inside(type).kind) {
    case ValueKind::boolean:
    case ValueKind::whole:
    case ValueKind::number:
    case ValueKind::text:
    case ValueKind::word:
      return true;
    default:
      return false;
  }
}

// The known columns and behind them whatever else a row, its case and its time hold that fits a cell.
std::vector<Column> row_columns() {
  std::vector<Column> columns;
  for (const KnownColumn& known : kColumns)
    columns.push_back({known.name, known.text != nullptr ? known.text : value_at(known.path)});
  const auto part = [](std::string_view name) { return &inside(*row_record().field(name).type).record(); };
  const std::pair<std::string, const RecordType*> parts[] = {
      {"params.", part("params")}, {"time.", part("time")}, {"", &row_record()}};
  for (const auto& [prefix, record] : parts) {
    for (const RecordField& field : record->fields) {
      const std::string path = prefix + std::string(field.name);
      const bool known = std::ranges::any_of(kColumns, [&](const KnownColumn& c) { return c.path == path; });
      if (!known && fits_a_cell(*field.type)) columns.push_back({field.name, value_at(path)});
    }
  }
  return columns;
}

// What a comparison has beside them, behind the others: the first look at a case, and the one that decided.
constexpr KnownColumn kComparisonColumns[] = {
    {"base_ns", "", [](const Document&, const Row& row) { return launch_median(last_look(row).base_ns); }},
    {"new_ns", "", [](const Document&, const Row& row) { return launch_median(last_look(row).new_ns); }},
    {"base_launches", "", [](const Document&, const Row& row) { return count(last_look(row).base_ns); }},
    {"new_launches", "", [](const Document&, const Row& row) { return count(last_look(row).new_ns); }},
    {"ratio", "", [](const Document&, const Row& row) { return number(last_look(row).ratio); }},
    {"ratio_ci90_low", "", [](const Document&, const Row& row) { return ratio_bound(row, &Interval::low); }},
    {"ratio_ci90_high", "",
     [](const Document&, const Row& row) { return ratio_bound(row, &Interval::high); }},
    {"p_slower", "", [](const Document&, const Row& row) { return looked(row, last_look(row).p_slower); }},
    {"p_faster", "", [](const Document&, const Row& row) { return looked(row, last_look(row).p_faster); }},
    {"threshold", "",
     [](const Document&, const Row& row) {
       return row.comparison ? looked(row, row.comparison->threshold) : "";
     }},
    {"threshold_origin", "",
     [](const Document&, const Row& row) {
       return looks(row) == 0 ? "" : std::string(to_string(row.comparison->threshold_origin));
     }},
    {"looks", "", [](const Document&, const Row& row) { return std::to_string(looks(row)); }},
    {"first_ratio", "",
     [](const Document&, const Row& row) {
       return looks(row) == 0 ? "" : number(row.comparison->stages.front().ratio);
     }},
    {"reason", "",
     [](const Document&, const Row& row) { return row.comparison ? text_cell(row.comparison->reason) : ""; }},
};

// What run-spec has beside them, behind the others. Of a row: the speeds of its strategy; of a cell of the
// table of drafts and batches: all of it, and nothing of a row.
constexpr std::string_view kSpecColumns[] = {
    "tokens_s",      "plain_tokens_s", "batch",       "context",      "drafts", "tokens_s_low",
    "tokens_s_high", "speedup",        "speedup_low", "speedup_high", "pays",   "break_even_length"};

std::vector<std::string> spec_cells(const SpecResult& spec, const Row& row) {
  std::vector<std::string> cells(std::size(kSpecColumns));
  for (const SpecCandidate& candidate : spec.candidates) {
    if (candidate.strategy != entry_name(row.params) || candidate.mode != row.params.mode) continue;
    if (row.params.bytes != spec.verify_message || row.params.collective != Collective::allreduce) continue;
    cells[0] = number(candidate.tokens_s);
    cells[1] = number(candidate.plain_tokens_s);
  }
  return cells;
}

std::vector<std::string> spec_cells(const SpecCell& cell, const SpecRange& plain) {
  const auto part = [](const std::optional<SpecRange>& range, double SpecRange::*which) {
    return range ? number((*range).*which) : "";
  };
  return {part(cell.tokens_s, &SpecRange::median),
          number(plain.median),
          std::to_string(cell.batch),
          number(cell.context),
          std::to_string(cell.drafts),
          part(cell.tokens_s, &SpecRange::low),
          part(cell.tokens_s, &SpecRange::high),
          part(cell.speedup, &SpecRange::median),
          part(cell.speedup, &SpecRange::low),
          part(cell.speedup, &SpecRange::high),
          number(cell.pays),
          part(cell.break_even_length, &SpecRange::median)};
}

bool has_estimate(std::span<const NamedDocument> documents) {
  return std::ranges::any_of(documents, [](const NamedDocument& part) {
    return part.document->spec && part.document->spec->estimate;
  });
}

// The columns of a table of these results.
std::vector<Column> columns_of(std::span<const NamedDocument> documents) {
  std::vector<Column> columns = row_columns();
  if (std::ranges::any_of(documents,
                          [](const NamedDocument& part) { return part.document->comparison.has_value(); })) {
    for (const KnownColumn& known : kComparisonColumns) columns.push_back({known.name, known.text});
  }
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

// All lines of a result; `spec`: the table has the columns of run-spec. `ending`: behind each line.
std::string lines(const std::vector<Column>& columns, const Document& document, bool spec,
                  const std::string& ending) {
  std::string text;
  const auto add = [&](const std::string& cells, const std::vector<std::string>& more) {
    text += cells;
    for (const std::string& cell : more) text += ',' + cell;
    text += ending + '\n';
  };
  const std::vector<std::string> nothing(spec ? std::size(kSpecColumns) : 0);
  for (const Row& row : document.rows)
    add(line(columns, document, row), spec && document.spec ? spec_cells(*document.spec, row) : nothing);
  if (!spec || !document.spec || !document.spec->estimate) return text;
  SpecRange plain;
  for (const SpecCell& cell : document.spec->estimate->table) {
    if (cell.drafts == 0 && cell.tokens_s) plain = *cell.tokens_s;
    add(std::string(columns.size() - 1, ','), spec_cells(cell, plain));
  }
  return text;
}

std::string spec_head(bool spec) {
  std::string text;
  for (const std::string_view name : kSpecColumns) text += spec ? "," + std::string(name) : "";
  return text;
}

class CsvWriter final : public Writer {
 public:
  std::string_view name() const override { return "csv"; }
  std::string_view summary() const override { return "one line per case, units in the column names"; }
  std::string render(const Document& document, const RenderOptions&) const override {
    const NamedDocument alone{"", &document};
    const std::vector<Column> columns = columns_of({&alone, 1});
    const bool spec = has_estimate({&alone, 1});
    return head(columns) + spec_head(spec) + '\n' + lines(columns, document, spec, "");
  }
  bool takes_several() const override { return true; }
  // One below the other, with one more column that says whose line it is.
  std::string render_several(std::span<const NamedDocument> documents, const RenderOptions&) const override {
    const std::vector<Column> columns = columns_of(documents);
    const bool spec = has_estimate(documents);
    std::string text = head(columns) + spec_head(spec) + ",result\n";
    for (const NamedDocument& part : documents)
      text += lines(columns, *part.document, spec, ',' + quoted(text_cell(part.name)));
    return text;
  }
};

const RegisterWriter<CsvWriter> registered;

}  // namespace
}  // namespace ringside
