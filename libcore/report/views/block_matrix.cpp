#include "report/views/block_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "report/views/answer.hpp"
#include "report/views/cell.hpp"
#include "report/views/published.hpp"

namespace ringside {
namespace {

constexpr const char* kTopic = "times";

Style style_of(const Row* row, Standing standing) {
  if (row == nullptr || row->status == Status::skipped) return Style::faint;
  if (!has_result(row) || row->status == Status::regress) return Style::error;
  if (standing == Standing::winner) return Style::winner;
  return standing == Standing::tied ? Style::tied : Style::plain;
}

// What a comparison with an earlier measurement made of a row.
const char* change(const Row* row) {
  if (row == nullptr) return "";
  switch (row->status) {
    case Status::regress:
      return "slower";
    case Status::improve:
      return "faster";
    case Status::ambiguous:
      return "unclear";
    default:
      return "";
  }
}

MatrixColumn entry_column(const SweepBlock& block, std::size_t entry, const TimeUnit& unit) {
  MatrixColumn column{.header = {block.entries[entry]}, .cells = {}};
  for (const SizeLine& line : block.lines) {
    const Row* row = line.rows[entry];
    const Standing place = standing(line.verdict, block.entries[entry]);
    CellText text = cell_text(row, unit, place);
    column.cells.push_back({.mark = std::move(text.mark),
                            .value = std::move(text.value),
                            .aside = std::move(text.uncertainty),
                            .style = style_of(row, place),
                            .behind = has_result(row) ? row->time->median_ns / line.best->time->median_ns : 0,
                            .change = change(row)});
  }
  return column;
}

MatrixColumn verdict_column(const SweepBlock& block) {
  MatrixColumn column{.header = {"winner"}, .align = Align::left, .cells = {}};
  for (const SizeLine& line : block.lines) {
    MatrixCell cell{.value = verdict_text(line.verdict)};
    if (line.verdict != nullptr && line.verdict->winner) {
      cell.brief = format_three_digits(line.verdict->ratio) + "x";
      cell.style = Style::winner;
    } else if (line.verdict != nullptr && !line.verdict->tied.empty()) {
      cell.brief = "tie";
      cell.style = Style::tied;
    }
    column.cells.push_back(std::move(cell));
  }
  return column;
}

// A number of the best row of each size; nothing where no row has it.
template <typename Text>
void add_best(Matrix& matrix, const SweepBlock& block, std::vector<std::string> header,
              std::optional<double> Row::*number, Text text) {
  MatrixColumn column{.header = std::move(header), .cells = {}};
  bool any = false;
  for (const SizeLine& line : block.lines) {
    const std::optional<double> value = line.best == nullptr ? std::nullopt : line.best->*number;
    const bool there = value && std::isfinite(*value);
    column.cells.push_back({.value = there ? text(*value) : ""});
    any |= there;
  }
  if (any) matrix.best.push_back(std::move(column));
}

// Empty: nothing is to be said.
std::string floor_text(const Document& document, const std::vector<SweepBlock>& blocks) {
  const auto unknown =
      std::ranges::find(document.findings, std::string(finding_kind("floor-unknown")), &Finding::kind);
  if (unknown != document.findings.end()) return unknown->message;
  if (std::ranges::none_of(blocks, [](const SweepBlock& block) { return block.mode == Mode::graph; }))
    return "";
  std::optional<double> gap_ns;
  for (const LinkMeasurement& link : document.links) {
    if (link.node_gap_ns) gap_ns = std::min(gap_ns.value_or(*link.node_gap_ns), *link.node_gap_ns);
  }
  if (!gap_ns || !std::isfinite(*gap_ns)) return "";
  return fmt::format("floor: without the gap between two nodes of a graph, {}", format_time_ns(*gap_ns));
}

bool is_of_block(const PublishedComparison& comparison, const SweepBlock& block) {
  return block.collective == Collective::allreduce && block.device == DeviceKind::cuda &&
         block.ranks == comparison.gpus && block.dtype == comparison.dtype && block.mode == comparison.mode;
}

}  // namespace

Matrix block_matrix(const SweepBlock& block) {
  Matrix matrix{.subject = fmt::format("{}, {} ranks", block.name(), block.ranks),
                .what = "no strategy ran",
                .key = "size",
                .keys = {},
                .candidates = {},
                .verdicts = {},
                .best = {}};
  if (block.entries.empty()) return matrix;
  const TimeUnit unit = time_unit(block);
  matrix.what = fmt::format("{} per call (median, slowest rank)", unit.name);
  for (const SizeLine& line : block.lines) matrix.keys.push_back(format_size(line.bytes));
  for (std::size_t i = 0; i < block.entries.size(); ++i)
    matrix.candidates.push_back(entry_column(block, i, unit));
  if (block.compared()) matrix.verdicts = verdict_column(block);
  add_best(matrix, block, {"busbw", "GB/s"}, &Row::busbw_gbps, format_three_digits);
  add_best(matrix, block, {"of", "floor"}, &Row::of_floor,
           [](double part) { return fmt::format("{:.0f}%", 100 * part); });
  return matrix;
}

void add_block_matrices(const Document& document, const std::vector<SweepBlock>& blocks,
                        std::vector<Section>& sections) {
  for (const SweepBlock& block : blocks) {
    sections.push_back({kTopic, block_matrix(block)});
    for (const PublishedComparison& comparison : document.published) {
      if (!is_of_block(comparison, block)) continue;
      if (std::string line = published_line(comparison); !line.empty())
        sections.push_back({kTopic, Remark{std::move(line)}});
    }
  }
  if (std::string symbols = legend(blocks); !symbols.empty())
    sections.push_back({kTopic, Legend{std::move(symbols)}});
  if (std::string text = floor_text(document, blocks); !text.empty())
    sections.push_back({kTopic, Legend{std::move(text)}});
}

}  // namespace ringside
