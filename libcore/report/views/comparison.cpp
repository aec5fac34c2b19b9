#include <fmt/format.h>

#include "base/text.hpp"
#include "report/views/benchmarks.hpp"
#include "report/views/block_matrix.hpp"
#include "report/views/comparison_parts.hpp"
#include "report/views/figures.hpp"
#include "report/views/finding_items.hpp"
#include "report/views/heads.hpp"
#include "report/views/test_suite.hpp"

namespace ringside {
namespace {

std::vector<HeadLine> head(const Document& document, Room room) {
  const std::string base = side_line(document.comparison->base), now = side_line(document.comparison->now);
  const bool page = room == Room::page;
  std::vector<HeadLine> lines;
  if (page) lines = alert_lines(document);
  if (room == Room::terminal) add_line(lines, "machine", document.machine.name);
  add_line(lines, "base", base);
  add_line(lines, "new", now);
  if (room == Room::document) add_line(lines, "machine", document.machine.name);
  add_line(lines, page ? "" : "method", judgement_line(document));
  return lines;
}

// Rows beside earlier ones, each with its verdict.
class ComparisonKind final : public ResultKind {
 public:
  bool shows(const Document& document) const override { return document.comparison.has_value(); }
  int speciality() const override { return 2; }

  View view(const Document& document, const ViewRequest& request) const override {
    View view = start_view(document, request);
    const ComparisonMethod& method = *document.comparison;
    if (request.sections) {
      view.title = fmt::format("{} against {}", join(method.now.files, ", "), join(method.base.files, ", "));
      view.head = head(document, request.room);
      view.sections = sections(document, request);
    }
    if (request.tests)
      view.tests = test_suite(document, {.properties = {{"base", side_line(method.base)},
                                                        {"new", side_line(method.now)},
                                                        {"judgement", judgement_line(document)}}});
    if (request.benchmarks) view.benchmarks = row_benchmarks(document);
    return view;
  }

 private:
  static std::vector<Section> sections(const Document& document, const ViewRequest& request) {
    const Section answer{"verdict", Answers{{{.label = "verdict", .text = verdict_counts(document)}}, true}};
    const Section findings{"findings", finding_items(document)};
    if (request.summary) return {answer, findings};
    const auto grid = [&](bool all) { return comparison_grid(document, all); };
    std::vector<Section> sections;
    const auto add_figures = [&] {
      if (request.figures) sections.push_back({"charts", comparison_figures(document)});
    };
    switch (request.room) {
      case Room::terminal:
        sections = {{"comparison", grid(request.verbose)}};
        add_figures();
        sections.push_back(findings);
        sections.push_back(answer);
        break;
      case Room::document:
        sections = {answer, {"comparison", grid(request.verbose)}, findings};
        break;
      case Room::page:
        sections = {answer, findings, {"comparison", grid(false)}};
        sections.push_back({"comparison", grid(true), fmt::format("all {} cases", document.rows.size())});
        add_figures();
        add_block_matrices(document, sweep_blocks(document), sections);
        break;
    }
    return sections;
  }
};

const RegisterKind<ComparisonKind> registered;

}  // namespace
}  // namespace ringside
