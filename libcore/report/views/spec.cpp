#include <fmt/format.h>

#include <limits>
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
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kReasons = 5;  // of what decides, in a short answer

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
    for (const SpecCandidate* candidate : found[key]) {
      const bool there = candidate != nullptr && candidate->tokens_s;
      texts.push_back(there ? format_three_digits(*candidate->tokens_s) : "-");
    }
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
                      {.name = "tokens-per-second", .value = candidate.tokens_s.value_or(kNone)}},
         .extra = fmt::format("{}communication {}",
                              candidate.tokens_s ? fmt::format("{:.1f} tok/s, ", *candidate.tokens_s) : "",
                              to_string(candidate.origin))});
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
      view.head = head(document, request);
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
  // On a terminal the decision comes first: where nothing was measured here, the head says nothing more.
  static std::vector<HeadLine> head(const Document& document, const ViewRequest& request) {
    const bool short_answer = request.room == Room::terminal && !request.verbose && document.spec->estimate;
    return short_answer ? alert_lines(document) : measurement_lines(document, request);
  }

  static Section recommendation(const SpecResult& spec, const std::vector<std::string>& reasons) {
    return {
        kTopic,
        Answers{
            {{.label = "verdict", .text = spec.recommendation, .below = spec.confidence, .reasons = reasons}},
            true}};
  }

  // The decision in three lines, the first thing on a terminal.
  static void add_decision(const SpecResult& spec, std::vector<Section>& sections) {
    if (!spec.estimate) return;
    for (const std::string* line :
         {&spec.estimate->decision, &spec.estimate->rests_on, &spec.estimate->missing}) {
      if (!line->empty()) sections.push_back({kTopic, Remark{*line}});
    }
  }

  static void add_reasons(const SpecResult& spec, bool all, std::vector<Section>& sections) {
    if (!spec.estimate) return;  // an older result: they stand at its answer
    Answers why;
    why.single = true;
    for (const std::string& reason : spec.decides) {
      if (all || why.answers.size() < kReasons) why.answers.push_back({.label = "why", .text = reason});
    }
    for (const std::string& crossover : spec.estimate->crossover)
      why.answers.push_back({.label = "batches", .text = crossover});
    if (!why.answers.empty()) sections.push_back({kTopic, std::move(why)});
  }

  // How steps were replayed, where the head does not say it.
  static void add_method(const Document& document, const ViewRequest& request,
                         std::vector<Section>& sections) {
    if (request.verbose || !document.spec->estimate || document.spec->replays.empty()) return;
    FactList method;
    for (const HeadLine& line : measurement_lines(document, request)) {
      if (!line.alert) method.facts.emplace_back(line.label, line.text);
    }
    sections.push_back({kTopic, std::move(method)});
  }

  static void add_lines(const SpecResult& spec, bool all, std::vector<Section>& sections) {
    if (!spec.estimate) return;
    const auto add = [&](const char* what, const SpecLines& lines) {
      sections.push_back(
          {kTopic, CodeLines{fmt::format("{} ({}): {}", what, lines.server, lines.purpose), lines.lines}});
    };
    if (all || spec.estimate->commands.size() == 1) {
      for (const SpecLines& lines : spec.estimate->commands) add("to measure", lines);
    } else if (!spec.estimate->commands.empty()) {
      add("to measure", spec.estimate->commands.front());
    }
    const bool batches = spec.estimate->table.size() > 0 &&
                         spec.estimate->table.front().batch != spec.estimate->table.back().batch;
    if (!all && !batches) return;
    for (const SpecLines& lines : spec.estimate->paste) add("to paste", lines);
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
        add_decision(spec, sections);
        add_reasons(spec, request.verbose, sections);
        add_figures();
        add_tables(request.verbose, "");
        add_lines(spec, request.verbose, sections);
        add_method(document, request, sections);
        if (request.verbose) add_block_matrices(document, blocks, sections);
        sections.push_back(findings);
        if (!spec.estimate) sections.push_back(answer);
        break;
      case Room::document:
        sections.push_back(answer);
        add_tables(request.verbose, "");
        add_lines(spec, request.verbose, sections);
        add_block_matrices(document, blocks, sections);
        sections.push_back(findings);
        sections.push_back({"times", block_answers(blocks)});
        break;
      case Room::page:
        sections.push_back(answer);
        sections.push_back(findings);
        add_figures();
        add_tables(false, "");
        add_lines(spec, false, sections);
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
