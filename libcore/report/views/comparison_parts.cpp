#include "report/views/comparison_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "base/units.hpp"
#include "report/views/blocks.hpp"
#include "stats/order.hpp"

namespace ringside {
namespace {

constexpr std::array kOrder = {Status::pass,    Status::improve, Status::regress, Status::ambiguous,
                               Status::skipped, Status::failed,  Status::timeout};

std::string time_text(const std::vector<double>& launches_ns) {
  return launches_ns.empty() ? "-" : format_time_ns(median(launches_ns));
}

std::string interval_text(const ComparisonStage& stage) {
  if (!stage.ratio_interval90) return "-";
  return fmt::format("{:.3f} to {:.3f}", stage.ratio_interval90->low, stage.ratio_interval90->high);
}

Style style_of(Status status) {
  switch (status) {
    case Status::pass:
      return Style::plain;
    case Status::improve:
      return Style::winner;
    case Status::regress:
    case Status::failed:
    case Status::timeout:
      return Style::error;
    case Status::ambiguous:
    case Status::skipped:
      return Style::warning;
  }
  return Style::plain;
}

// A case of the base that the new result has no time for, though it has not failed.
bool has_no_new_time(const Row& row) {
  return has_finding(row, finding_kind("no-longer-measured"));
}

GridColumn column(const char* header, Align align = Align::right) {
  return {.header = {header}, .align = align, .cells = {}};
}

}  // namespace

std::string side_line(const ComparedSide& side) {
  return fmt::format("{}: ringside {} ({}), {}", join(side.files, ", "), side.tool.version, side.tool.commit,
                     side.started);
}

std::string judgement_line(const Document& document) {
  const ComparisonMethod& method = *document.comparison;
  if (!method.judged) return "different machines: ratios are shown, not judged";
  std::string text = fmt::format("one-sided rank tests of launch medians, level {}; ", method.alpha);
  text +=
      method.calibration.empty() ? "this machine was not calibrated" : "calibrated by " + method.calibration;
  if (!method.confirmation.empty()) text += "; suspects: " + method.confirmation;
  return text;
}

TitledGrid comparison_grid(const Document& document, bool all) {
  std::vector<GridColumn> columns = {column("case", Align::left),
                                     column("base"),
                                     column("new"),
                                     column("ratio"),
                                     column("90 %"),
                                     column("counts from"),
                                     column("verdict", Align::left),
                                     column("", Align::left)};
  for (const Row& row : document.rows) {
    if (!row.comparison || (row.status == Status::pass && !all)) continue;
    const Comparison& comparison = *row.comparison;
    // The latest look: it is the one that decided.
    const ComparisonStage stage = comparison.stages.empty() ? ComparisonStage{} : comparison.stages.back();
    const std::array<std::string, 8> texts = {
        case_name(row.params),
        time_text(stage.base_ns),
        time_text(stage.new_ns),
        stage.ratio ? fmt::format("{:.3f}", *stage.ratio) : "-",
        interval_text(stage),
        comparison.stages.empty() ? "-" : fmt::format("{:.1f} %", 100 * comparison.threshold),
        has_no_new_time(row) ? "no new time" : std::string(to_string(row.status)),
        comparison.reason};
    for (std::size_t i = 0; i < texts.size(); ++i)
      columns[i].cells.push_back({texts[i], i != 6                 ? Style::plain
                                            : has_no_new_time(row) ? Style::error
                                                                   : style_of(row.status)});
  }
  return {.title = all ? "all cases" : "cases that do not plainly pass",
          .columns = std::move(columns),
          .note = ""};
}

std::string verdict_counts(const Document& document) {
  std::vector<std::string> parts;
  if (const auto lost = std::ranges::count_if(document.rows, has_no_new_time); lost > 0)
    parts.push_back(fmt::format("{} of the base without a new time", lost));
  for (const Status status : kOrder) {
    const auto count = std::ranges::count_if(
        document.rows, [&](const Row& row) { return row.status == status && !has_no_new_time(row); });
    if (count > 0) parts.push_back(fmt::format("{} {}", count, to_string(status)));
  }
  return parts.empty() ? "no case" : join(parts, ", ");
}

}  // namespace ringside
