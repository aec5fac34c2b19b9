#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "report/views/answer.hpp"
#include "report/views/benchmarks.hpp"
#include "report/views/block_match.hpp"
#include "report/views/block_matrix.hpp"
#include "report/views/cell.hpp"
#include "report/views/figures.hpp"
#include "report/views/finding_items.hpp"
#include "report/views/first_calls.hpp"
#include "report/views/heads.hpp"
#include "report/views/row_table.hpp"
#include "report/views/test_suite.hpp"

namespace ringside {
namespace {

using Documents = std::span<const NamedDocument>;

std::string title_of(const Document& document) {
  if (document.rows.empty() || document.machine.name.empty()) return document.command;
  std::vector<std::string> collectives;
  for (const Row& row : document.rows) {
    const std::string name(to_string(row.params.collective));
    if (std::ranges::find(collectives, name) == collectives.end()) collectives.push_back(name);
  }
  // The name of a machine begins with what matters most.
  const std::string& machine = document.machine.name;
  return fmt::format("{} on {}", join(collectives, " and "), machine.substr(0, machine.find(',')));
}

void add_time_columns(Documents documents, GridLines& lines) {
  for (const NamedDocument& part : documents) lines.add({part.name});
  for (const NamedDocument& part : documents.subspan(1)) lines.add({part.name + " /", documents[0].name});
}

// The medians of a case, one for each Document (a row may be null), and their ratios to the first.
std::vector<std::string> cells(const std::vector<const Row*>& rows, const std::vector<Standing>& standings,
                               const TimeUnit& unit) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CellText text = cell_text(rows[i], unit, standings[i]);
    texts.push_back(text.mark + text.value + (text.uncertainty.empty() ? "" : " " + text.uncertainty));
  }
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const bool both = has_result(rows[0]) && has_result(rows[i]) && rows[0]->time->median_ns > 0;
    texts.push_back(both ? fmt::format("{:.3f}", rows[i]->time->median_ns / rows[0]->time->median_ns) : "");
  }
  return texts;
}

TitledGrid times(Documents documents, const MatchedBlocks& blocks) {
  const SweepBlock& first = blocks.first();
  const TimeUnit unit = time_unit(first);
  std::vector<std::string> entries;
  std::set<Bytes> sizes;
  for (const auto& block : blocks.of) {
    if (!block) continue;
    for (const std::string& entry : block->entries) {
      if (std::ranges::find(entries, entry) == entries.end()) entries.push_back(entry);
    }
    for (const SizeLine& line : block->lines) sizes.insert(line.bytes);
  }
  GridLines lines;
  lines.add({"size"});
  lines.add({"strategy"}, Align::left);
  add_time_columns(documents, lines);
  for (const Bytes size : sizes) {
    for (const std::string& entry : entries) {
      std::vector<const Row*> rows;
      std::vector<Standing> standings;
      for (const auto& block : blocks.of) {
        const SizeLine* line = block ? block->line(size) : nullptr;
        rows.push_back(line == nullptr ? nullptr : block->row(*line, entry));
        standings.push_back(line == nullptr ? Standing::none : standing(line->verdict, entry));
      }
      if (std::ranges::none_of(rows, has_result)) continue;
      std::vector<std::string> texts = {format_size(size), entry};
      for (std::string& text : cells(rows, standings, unit)) texts.push_back(std::move(text));
      lines.line(std::move(texts));
    }
  }
  return {fmt::format("{}, {} ranks on {}: {} per call (median, slowest rank)", first.name(), first.ranks,
                      to_string(first.device), unit.name),
          lines.take(), "a ratio above 1 is slower; nothing is judged here"};
}

// Rows that were measured: what probe-comm gives, and whatever has nothing more special.
class Sweep final : public ResultKind {
 public:
  bool shows(const Document&) const override { return true; }
  int speciality() const override { return 0; }

  View view(const Document& document, const ViewRequest& request) const override {
    View view = start_view(document, request);
    if (request.sections) {
      view.title = title_of(document);
      view.head = measurement_lines(document, request);
      view.sections = sections(document, request);
    }
    if (request.tests) view.tests = test_suite(document);
    if (request.benchmarks) view.benchmarks = row_benchmarks(document);
    return view;
  }

  std::vector<TitledGrid> tables_beside(Documents documents) const override {
    std::vector<TitledGrid> grids;
    for (const MatchedBlocks& blocks : match_blocks(documents)) grids.push_back(times(documents, blocks));
    return grids;
  }
  std::vector<Figure> figures_beside(Documents documents, Room) const override {
    return sweep_figures(documents);
  }

 private:
  static std::vector<Section> sections(const Document& document, const ViewRequest& request) {
    const std::vector<SweepBlock> blocks = sweep_blocks(document);
    const NamedDocument alone{"", &document};
    const Section findings{"findings", finding_items(document)};
    const Section answers{"verdict", block_answers(blocks)};
    if (request.summary) return {answers, findings};
    std::vector<Section> sections;
    const bool page = request.room == Room::page;
    if (page) sections = {answers, findings};
    const auto add_figures = [&] {
      if (request.figures) sections.push_back({"charts", sweep_figures({&alone, 1})});
    };
    if (page) add_figures();
    add_block_matrices(document, blocks, sections);
    if (page) {
      add_all_numbers(document, sections);
      return sections;
    }
    add_figures();
    if (request.verbose) sections.push_back({"times", first_call_grid(document)});
    sections.push_back(findings);
    sections.push_back(answers);
    return sections;
  }
};

const RegisterKind<Sweep> registered;

}  // namespace
}  // namespace ringside
