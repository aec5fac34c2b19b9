#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <string>

#include "base/errors.hpp"
#include "base/output_file.hpp"
#include "base/terminal.hpp"
#include "base/text.hpp"
#include "doctor/check.hpp"
#include "machine/profile_catalogue.hpp"
#include "machine/published.hpp"
#include "model/document.hpp"
#include "report/listing.hpp"
#include "spec/scenario.hpp"
#include "strategy/registry.hpp"
#include "subcommand.hpp"
#include "sweep/request_scenario.hpp"
#include "trace/core/pipeline_toml.hpp"
#include "trace/core/signature.hpp"
#include "trace/sglang/launch_scenario.hpp"

namespace ringside {
namespace {

constexpr int kWhole = 1 << 20;  // into a pipe lines go whole, for grep

ListSection list_strategies() {
  ListSection section{"strategies", {}};
  for (const Strategy* strategy : all_strategies()) {
    const Numerics numerics = strategy->numerics();
    section.items.push_back({std::string(strategy->name()),
                             std::string(strategy->summary()),
                             {{"device", std::string(to_string(strategy->device()))},
                              {"collective", std::string(to_string(strategy->collective()))},
                              {"family", std::string(strategy->family())},
                              {"sum", numerics.rank_order ? "in rank order" : "in an order of its own"},
                              {"roundings", numerics.single_rounding ? "one" : "several"}}});
  }
  return section;
}

ListSection list_sweeps() {
  ListSection section{"scenarios", {}};
  for (const SweepScenario& sweep : list_sweep_scenarios()) {
    section.items.push_back({sweep.name, sweep.title, {{"command", "probe-comm"}}});
  }
  return section;
}

ListSection list_specs() {
  ListSection section{"specs", {}};
  for (const SpecScenario& spec : list_spec_scenarios()) {
    section.items.push_back({spec.name, spec.title, {{"command", "run-spec"}, {"machine", spec.machine}}});
  }
  return section;
}

ListSection list_traces() {
  ListSection section{"traces", {}};
  for (const ScenarioText& text : list_scenarios("traces")) {
    const LaunchScenario trace = read_launch_scenario(text);
    section.items.push_back(
        {trace.name, trace.title, {{"pipeline", trace.pipeline}, {"expect", trace.expect}}});
  }
  return section;
}

ListSection list_pipelines() {
  ListSection section{"pipelines", {}};
  for (const ScenarioText& text : list_scenarios("pipelines")) {
    const Pipeline pipeline = read_pipeline(text);
    section.items.push_back(
        {pipeline.name, pipeline.title, {{"classes", std::to_string(pipeline.classes.size())}}});
  }
  return section;
}

ListSection list_signatures() {
  ListSection section{"signatures", {}};
  for (const Signature& signature : load_signatures())
    section.items.push_back(
        {signature.id, signature.title, {{"severity", std::string(to_string(signature.severity))}}});
  return section;
}

// What each kind of finding decides; docs/findings.md is made from it.
ListSection list_findings() {
  ListSection section{"findings", {}};
  for (const FindingKind& kind : kFindingKinds) {
    section.items.push_back({std::string(kind.id),
                             std::string(kind.sentence),
                             {{"severity", std::string(to_string(kind.severity))},
                              {"exit_status", std::to_string(static_cast<int>(kind.exit))},
                              {"junit", std::string(name_of(kind.junit))}}});
  }
  return section;
}

ListSection list_checks() {
  ListSection section{"checks", {}};
  for (const Check& check : all_checks()) {
    section.items.push_back({std::string(check.name),
                             std::string(check.title),
                             {{"severity", check.severity == Severity::error ? "error" : "hint"},
                              {"need", std::string(check.need)},
                              {"cost", std::string(check.cost)},
                              {"source", std::string(check.source)}}});
  }
  return section;
}

ListSection list_machines() {
  ListSection section{"machines", {}};
  for (const MachineProfile& machine : list_machine_profiles()) {
    section.items.push_back({machine.name,
                             machine.title,
                             {{"origin", std::string(to_string(machine.origin))},
                              {"ranks", std::to_string(machine.ranks)},
                              {"link", machine.link},
                              {"source", machine.source}}});
  }
  return section;
}

// First what holds for all of them: whose they are and what is wrong with them.
ListSection list_published() {
  const PublishedTables& published = published_tables();
  ListSection section{"published", {}};
  section.items.push_back({published.source,
                           "known defects: " + join(published.defects, "; "),
                           {{"license", published.license}, {"date", published.date}}});
  for (const PublishedTable& table : published.tables) {
    section.items.push_back(
        {fmt::format("{} x {}", table.gpus, table.gpu),
         fmt::format("allreduce of {} to {} in a {}: {} to {} us", format_size(table.first),
                     format_size(table.last()), to_string(published.mode),
                     format_three_digits(table.times_ns.front() / 1e3),
                     format_three_digits(table.times_ns.back() / 1e3)),
         {{"library", fmt::format("{} {}", table.library, table.version)}, {"source", published.source}}});
  }
  return section;
}

class List final : public Subcommand {
 public:
  std::string_view name() const override { return "list"; }
  std::string_view synopsis() const override { return "[WHAT] [--json FILE]"; }
  std::string_view summary() const override {
    return "Strategies, scenarios, specs, machines, traces and signatures in this binary";
  }
  std::string_view details() const override {
    return "Lists what this binary knows by name; without an argument, all of it. `schema` is the JSON "
           "schema of the results that it writes.";
  }
  std::string_view examples() const override {
    return "  ringside list\n"
           "  ringside list strategies --json -\n"
           "  ringside list schema > document.json\n";
  }
  void declare(OptionTable& options) override {
    options.argument("WHAT",
                     "strategies, scenarios, specs, machines, published, traces, pipelines, signatures, "
                     "findings, checks or schema [all]",
                     [this](const std::string& text) { what_ = text; });
    options.choices({"strategies", "scenarios", "specs", "machines", "published", "traces", "pipelines",
                     "signatures", "findings", "checks", "schema"});
    options.group("Output");
    options.value("--json", "FILE", "The list as JSON; - is stdout.",
                  [this](const std::string& text) { json_ = text; });
  }
  ExitCode run(const Invocation&) override;

 private:
  std::optional<std::string> what_;
  std::optional<std::string> json_;
};

ExitCode List::run(const Invocation&) {
  if (what_ == "schema") {
    OutputFile(json_.value_or("-")).write(document_schema());
    return ExitCode::ok;
  }
  struct Source {
    std::string name;
    ListSection (*list)();
  };
  const Source sources[] = {{"strategies", list_strategies}, {"scenarios", list_sweeps},
                            {"specs", list_specs},           {"machines", list_machines},
                            {"published", list_published},   {"traces", list_traces},
                            {"pipelines", list_pipelines},   {"signatures", list_signatures},
                            {"findings", list_findings},     {"checks", list_checks}};
  std::vector<ListSection> sections;
  std::vector<std::string> names;
  for (const Source& source : sources) {
    names.push_back(source.name);
    if (!what_ || *what_ == source.name) sections.push_back(source.list());
  }
  if (sections.empty()) {
    names.emplace_back("schema");
    throw UsageError(fmt::format("nothing named '{}' to list{}; valid: {}", *what_,
                                 did_you_mean(*what_, names), join(names, ", ")));
  }
  if (json_) {
    OutputFile(*json_).write(listing_json(sections));
  } else {
    write_stdout(listing_text(sections, static_cast<std::size_t>(terminal_width(STDOUT_FILENO, kWhole))));
  }
  return ExitCode::ok;
}

}  // namespace

std::unique_ptr<Subcommand> make_list() {
  return std::make_unique<List>();
}

}  // namespace ringside
