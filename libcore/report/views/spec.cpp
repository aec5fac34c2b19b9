#include <fmt/format.h>

#include <map>
#include <tuple>
#include <utility>

#include "base/units.hpp"
#include "report/views/answer.hpp"
#include "report/views/benchmarks.hpp"
#include "report/views/block_matrix.hpp"
#include "report/views/figures.hpp"
#include "report/views/finding_items.hpp"
#include "report/views/heads.hpp"
#include "report/views/row_table.hpp"
#include "report/views/spec_tables.hpp"
#include "report/views/test_suite.hpp"

namespace ringside {
namespace {

using Documents = std::span<const NamedDocument>;

constexpr const char* kTopic = "speculation";

TitledGrid candidates(Documents documents) {
  using Key = std::tuple<std::string, std::string, Mode>;
  std::vector<Key> order;
  std::map<Key, std::vector<const SpecCandidate*>> found;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const auto& spec = documents[i].document->spec;
    if (!spec) continue;
    for (const SpecCandidate& candidate : spec->candidates) {
      const Key key{candidate.strategy, candidate.layout, candidate.mode};
      auto& of_key = found[key];
      if (of_key.empty()) order.push_back(key);
      of_key.resize(documents.size());
      of_key[i] = &candidate;
    }
  }
  GridLines lines;
  for (const char* name : {"strategy", "layout", "mode"}) lines.add({name}, Align::left);
  for (const NamedDocument& part : documents) lines.add({part.name, "tok/s"});
  for (const Key& key : order) {
    std::vector<std::string> texts = {std::get<0>(key), std::get<1>(key),
                                      std::string(to_string(std::get<2>(key)))};
    for (const SpecCandidate* candidate : found[key])
      texts.push_back(candidate == nullptr ? "-" : format_three_digits(candidate->tokens_s));
    lines.line(std::move(texts));
  }
  return {"tokens a second with speculation", lines.take(), ""};
}

// What is drawn of the replayed collectives has room only where speculation has no curves.
std::vector<Figure> all_figures(const Document& document) {
  std::vector<Figure> figures = spec_figures(*document.spec);
  const bool curves = !figures.empty();
  const NamedDocument alone{"", &document};
  for (Figure& figure : sweep_figures({&alone, 1})) {
    figure.first_glance = figure.first_glance && !curves;
    figures.push_back(std::move(figure));
  }
  return figures;
}

void add_candidates(std::vector<Benchmark>& benchmarks, const SpecResult& spec) {
  for (const SpecCandidate& candidate : spec.candidates) {
    benchmarks.push_back(
        {.name = benchmark_name(candidate),
         .measures = {{.name = "step-ns", .value = candidate.step_ns, .unit = "ms per step", .per_unit = 1e6},
                      {.name = "tokens-per-second", .value = candidate.tokens_s}},
         .extra =
             fmt::format("{:.1f} tok/s, communication {}", candidate.tokens_s, to_string(candidate.origin))});
  }
}

// The short answer of run-spec: tables, what decides, one recommendation.
class Spec final : public ResultKind {
 public:
  bool shows(const Document& document) const override { return document.spec.has_value(); }
  int speciality() const override { return 1; }

  View view(const Document& document, const ViewRequest& request) const override {
    View view = start_view(document, request);
    if (request.sections) {
      view.title = document.spec->title;
      view.head = measurement_lines(document, request);
      view.sections = sections(document, request);
    }
    if (request.tests) view.tests = test_suite(document, {.output = document.spec->recommendation});
    if (request.benchmarks) {
      add_candidates(view.benchmarks, *document.spec);
      for (Benchmark& benchmark : row_benchmarks(document)) view.benchmarks.push_back(std::move(benchmark));
    }
    return view;
  }

  std::vector<TitledGrid> tables_beside(Documents documents) const override {
    TitledGrid grid = candidates(documents);
    return grid.empty() ? std::vector<TitledGrid>{} : std::vector{std::move(grid)};
  }
  // Not on a page, where each figure needs a name of its own.
  std::vector<Figure> figures_beside(Documents documents, Room room) const override {
    std::vector<Figure> figures;
    for (const NamedDocument& part : documents) {
      if (!part.document->spec || room == Room::page) continue;
      for (Figure& figure : spec_figures(*part.document->spec)) figures.push_back(std::move(figure));
    }
    return figures;
  }
  std::pair<std::string, std::string> outcome(const Document& document) const override {
    return {document.spec->recommendation, document.spec->confidence};
  }

 private:
  static Section recommendation(const SpecResult& spec, const std::vector<std::string>& reasons) {
    return {
        kTopic,
        Answers{
            {{.label = "verdict", .text = spec.recommendation, .below = spec.confidence, .reasons = reasons}},
            true}};
  }
  static std::vector<Section> sections(const Document& document, const ViewRequest& request) {
    const SpecResult& spec = *document.spec;
    const std::vector<SweepBlock> blocks = sweep_blocks(document);
    const Section findings{"findings", finding_items(document)};
    const Section answer = recommendation(spec, spec.decides);
    if (request.summary) return {recommendation(spec, {}), findings};
    std::vector<Section> sections;
    const auto add_tables = [&](bool all, const std::string& fold) {
      for (TitledGrid& table : spec_tables(spec, all)) sections.push_back({kTopic, std::move(table), fold});
    };
    const auto add_figures = [&] {
      if (request.figures) sections.push_back({"charts", all_figures(document)});
    };
    switch (request.room) {
      case Room::terminal:
        if (request.verbose) add_block_matrices(document, blocks, sections);
        sections.push_back(findings);
        add_figures();
        add_tables(request.verbose, "");
        sections.push_back(answer);
        break;
      case Room::document:
        add_tables(request.verbose, "");
        sections.push_back(answer);
        add_block_matrices(document, blocks, sections);
        sections.push_back(findings);
        sections.push_back({"times", block_answers(blocks)});
        break;
      case Room::page:
        sections.push_back(findings);
        add_figures();
        add_tables(false, "");
        sections.push_back(answer);
        add_tables(true, "all candidates, steps and inputs");
        add_block_matrices(document, blocks, sections);
        add_all_numbers(document, sections);
        break;
    }
    return sections;
  }
};

const RegisterKind<Spec> registered;

}  // namespace
}  // namespace ringside
