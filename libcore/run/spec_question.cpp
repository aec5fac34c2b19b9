#include "run/spec_question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "base/text.hpp"
#include "run/spec_allreduce.hpp"
#include "run/spec_place.hpp"
#include "run/spec_readings.hpp"
#include "run/spec_workload.hpp"
#include "spec/asked.hpp"
#include "spec/known_acceptance.hpp"
#include "spec/model_shape.hpp"
#include "spec/overrides.hpp"
#include "spec/reported.hpp"
#include "spec/speed_pairs.hpp"

namespace ringside {
namespace {

constexpr std::size_t kMostConfig = 16u << 20;
constexpr const char* kStory = "kimi-k2.5-eagle3";
constexpr const char* kTemplate = "template";

class Question {
 public:
  explicit Question(const SpecOptions& options)
      : options_(options), chosen_(!options.scenario.empty()), sets_(flag_sets()) {
    sets_.insert(sets_.end(), options.sets.begin(), options.sets.end());
  }

  SpecQuestion resolve() {
    SpecReadings readings = read_speeds(options_);
    take(readings);
    read_model();
    read_scenario();
    if (!facts_ && (chosen_ || story_)) facts_ = facts_of(scenario().model);
    const ServerPlace place = find_place(options_, scenario(), chosen_ || story_);
    result_.machine = place.machine;
    take_arguments(readings.arguments);
    take_ranks(readings);
    check_spec_scenario(scenario());
    drop_stale(place);
    for (ObservedReading& observed : readings.observations)
      inquiry().observations.push_back(std::move(observed));
    measured_ = inquiry().observations.size();
    add_reported();
    choose_point();
    choose_acceptance();
    if (options_.allreduce) result_.allreduce = read_allreduce(*options_.allreduce);
    inquiry().facts = std::move(facts_);
    const bool named =
        chosen_ || story_ || is_given("speculation.algorithm") || !readings.arguments.method.empty();
    build_workload(options_, {place, readings.arguments, readings.server, named}, inquiry());
    return std::move(result_);
  }

 private:
  Inquiry& inquiry() { return result_.inquiry; }
  SpecScenario& scenario() { return result_.inquiry.scenario; }

  // Options as assignments, before those of --set.
  std::vector<std::string> flag_sets() const {
    std::vector<std::string> sets;
    if (options_.tp) sets.push_back(fmt::format("parallel.tp={}", *options_.tp));
    if (options_.ep) {
      sets.push_back(fmt::format("parallel.ep={}", *options_.ep));
      if (*options_.ep > 1) sets.emplace_back("parallel.experts=true");
    }
    if (options_.alltoall) sets.emplace_back("parallel.alltoall=true");
    if (options_.dp_attention) sets.emplace_back("parallel.dp_attention=true");
    if (options_.drafts) {
      sets.push_back(fmt::format("speculation.steps={}", *options_.drafts));
      sets.emplace_back("speculation.top_k=1");
      sets.push_back(fmt::format("speculation.draft_tokens={}", *options_.drafts + 1));
    }
    return sets;
  }

  bool is_given(const char* path) const { return is_set(sets_, path); }

  void take(SpecReadings& readings) {
    result_.notes = std::move(readings.notes);
    result_.inputs = std::move(readings.inputs);
    result_.withheld.add(readings.withheld);
    arguments_model_ = readings.arguments.model;
  }

  // The model's own files; else one of the scenarios that has the model that a log names.
  void read_model() {
    if (options_.config) {
      ModelFiles files;
      if (*options_.config == "-") {
        files.origin = "-";
        files.config = read_input("-", kMostConfig);
      } else {
        files = load_model_files(*options_.config);
      }
      for (const std::string& text : {files.config, files.quantization, files.index}) {
        if (!text.empty())
          result_.inputs.push_back(input_text("model config", *options_.config, text, result_.withheld));
      }
      facts_ = read_model_facts(files);
      for (const std::string& doubt : facts_->not_understood)
        note(finding_kind("config-doubt"), *options_.config, doubt);
      return;
    }
    if (chosen_ || arguments_model_.empty()) return;
    for (const SpecScenario& known : list_spec_scenarios()) {
      if (bare_name(known.model.name) != bare_name(arguments_model_)) continue;
      facts_ = facts_of(known.model);
      note(finding_kind("from-log"), known.name,
           fmt::format("the log names {}: the model of the scenario {} is taken", arguments_model_,
                       known.name));
      return;
    }
  }

  void read_scenario() {
    story_ = !chosen_ && !options_.config && !options_.measured();
    const std::string name = chosen_ ? options_.scenario : story_ ? kStory : kTemplate;
    const ScenarioText text = find_spec_text(name);
    result_.inputs.push_back(input_text("scenario", text.origin, text.text, result_.withheld));
    std::optional<ModelShape> shape;
    if (facts_) shape = shape_of(*facts_);
    scenario() = read_spec_scenario(text, sets_, shape);
    reported_ = as_reported(text);
    if (!chosen_ && !story_) scenario().title = facts_ ? facts_->name : "speculation on a server";
    if (facts_ && !(scenario().model == *shape)) override_facts();
  }

  // --set over a model from its own files: only what a scenario's [model] can say whole.
  void override_facts() {
    const bool changes = is_set(options_.sets, "model");
    if (!changes) return;
    if (!fits_shape(*facts_)) {
      throw UsageError(
          "--set model...: this model has layers that a scenario's [model] can't describe; change its "
          "config.json instead");
    }
    const std::vector<std::string> used = facts_->used;
    facts_ = facts_of(scenario().model);
    facts_->used = used;
  }

  // The scenario before --set; where it can't be read without, what was set is what is reported.
  SpecScenario as_reported(const ScenarioText& text) {
    try {
      return read_spec_scenario(text);
    } catch (const UsageError&) {
      return scenario();
    }
  }

  // What the server said of itself, where no option says otherwise.
  void take_arguments(const LoggedArguments& arguments) {
    ParallelLayout& parallel = scenario().parallel;
    SpeculationShape& shape = scenario().speculation;
    if (arguments.tensor_parallel && !is_given("parallel.tp")) {
      parallel.tp = *arguments.tensor_parallel;
      if (!is_given("parallel.ep")) parallel.ep = parallel.tp;
      if (scenario().model.experts % parallel.ep != 0) parallel.ep = 1;
    }
    if (arguments.expert_parallel.value_or(1) > 1 && !is_given("parallel.ep")) {
      parallel.ep = *arguments.expert_parallel;
      parallel.experts = true;
    }
    if (arguments.data_attention && !is_given("parallel.dp_attention"))
      parallel.dp_attention = *arguments.data_attention;
    if (!arguments.method.empty() && !is_given("speculation.algorithm")) shape.algorithm = arguments.method;
    const bool asked = is_given("speculation.steps") || is_given("speculation.draft_tokens");
    if (arguments.draft_steps && !asked) {
      shape.steps = *arguments.draft_steps;
      shape.top_k = arguments.draft_width.value_or(1);
      shape.draft_tokens = arguments.verify_rows.value_or(shape.steps + 1);
    }
    inquiry().drafts_known = asked || arguments.draft_steps || chosen_ || story_;
    inquiry().layout_known = is_given("parallel.tp") || arguments.tensor_parallel || chosen_ || story_;
  }

  // A log of several data-parallel ranks of one server is one of DP attention, unless it says otherwise.
  void take_ranks(const SpecReadings& readings) {
    int ranks = 1;
    for (const ObservedReading& observed : readings.observations)
      ranks = std::max(ranks, std::max(observed.reading.ranks, observed.reading.ranks_of));
    if (ranks == 1 || is_given("parallel.dp_attention") || readings.arguments.data_attention) return;
    ParallelLayout& parallel = scenario().parallel;
    if (!inquiry().layout_known) parallel.tp = ranks;
    parallel.dp_attention = parallel.tp == ranks;
    if (parallel.dp_attention && facts_)
      inquiry().assumptions.push_back(fmt::format("DP attention over the log's {} ranks taken", ranks));
  }

  void drop_stale(const ServerPlace& place) {
    const std::string machine = place.machine.value_or("");
    const std::string own = reported_.machine.empty() ? machine : reported_.machine;
    if (auto finding = leave_out_stale(reported_, own, machine, sets_, scenario()))
      result_.notes.push_back(std::move(*finding));
  }

  // The speeds that the scenario reports.
  void add_reported() {
    const auto add = [&](const std::optional<Quantity>& rate, bool speculative) {
      if (!rate) return;
      SpeedReading reading;
      reading.source = fmt::format("{} ({}, {} speculation)", scenario().name, to_string(rate->origin),
                                   speculative ? "with" : "without");
      reading.basis = SpeedBasis::gauges;
      reading.speculative = speculative;
      reading.batch = scenario().speculation.batch;
      reading.tokens_s = rate->value;
      if (rate->range) reading.spread = rate->range;
      reading.windows = rate->range ? 2 : 1;
      reading.settled = true;
      inquiry().observations.push_back({std::move(reading), rate->origin});
    };
    add(scenario().observed.plain_tokens_s, false);
    add(scenario().observed.spec_tokens_s, true);
  }

  // What was measured; where nothing was, what was reported.
  std::vector<ObservedReading> telling() {
    const auto& all = inquiry().observations;
    const auto count = static_cast<std::ptrdiff_t>(measured_ > 0 ? measured_ : all.size());
    return {all.begin(), all.begin() + count};
  }

  // Their batches, with the number of their windows.
  std::map<int, int> observed_batches() {
    std::map<int, int> batches;
    for (const ObservedReading& observed : telling()) {
      if (observed.reading.batch && *observed.reading.batch >= 1)
        batches[static_cast<int>(std::lround(*observed.reading.batch))] += observed.reading.windows;
    }
    return batches;
  }

  // The batch whose speeds can be compared, else the one with most windows.
  int likeliest_batch(const std::map<int, int>& batches) {
    Inquiry told = inquiry();
    told.observations = telling();
    for (const SpecMeasured& pair : pair_speeds(told)) {
      if (pair.ratio) return static_cast<int>(std::lround(pair.batch));
    }
    return std::ranges::max_element(batches, {}, [](const auto& batch) { return batch.second; })->first;
  }

  void choose_point() {
    SpeculationShape& shape = scenario().speculation;
    const std::map<int, int> batches = observed_batches();
    for (const ObservedReading& observed : inquiry().observations) {
      if (observed.reading.speculative && observed.reading.arguments.draft_steps && !inquiry().drafts_known)
        take_arguments(observed.reading.arguments);
    }
    if (options_.batches) {
      inquiry().batches = of_option("--batch", [&] { return parse_batches(*options_.batches); });
      shape.batch = inquiry().batches.front();
    } else if (!batches.empty() && !is_given("speculation.batch")) {
      shape.batch = likeliest_batch(batches);
      if (batches.size() > 1) {
        for (const auto& [batch, windows] : batches) inquiry().batches.push_back(batch);
      }
    }
    if (options_.contexts) {
      inquiry().contexts = of_option("--context", [&] { return parse_contexts(*options_.contexts); });
      scenario().context = inquiry().contexts.front();
    } else if (!is_given("speculation.context")) {
      take_context();
    }
  }

  // The mean context of what was observed at the batch.
  void take_context() {
    double sum = 0;
    int count = 0;
    for (const ObservedReading& observed : inquiry().observations) {
      const SpeedReading& reading = observed.reading;
      if (!reading.context || std::lround(reading.batch.value_or(0)) != scenario().speculation.batch)
        continue;
      sum += *reading.context;
      ++count;
    }
    if (count > 0) scenario().context = std::round(sum / count);
  }

  void choose_acceptance() {
    const int levels = scenario().speculation.drafts();
    AcceptanceInput& input = scenario().acceptance;
    if (options_.acceptance) {
      if (names_published_acceptance(*options_.acceptance)) {
        inquiry().acceptance =
            of_option("--acceptance", [&] { return published_acceptance(*options_.acceptance, levels); });
        return;
      }
      input = of_option("--acceptance", [&] { return parse_acceptance_input(*options_.acceptance, levels); });
    } else if (!is_set(options_.sets, "acceptance")) {
      inquiry().acceptance =
          measured_acceptance(scenario(), inquiry().observations, scenario().speculation.batch);
      if (inquiry().acceptance) {
        input = {};
        return;
      }
    }
    inquiry().acceptance = acceptance_of(input, levels);
  }

  CollectiveTimes read_allreduce(const std::string& path) {
    SpecAllreduce read = read_allreduce_file(path, scenario().parallel.tp);
    result_.inputs.push_back(input_text("allreduce", path, read.text, result_.withheld, false));
    note(finding_kind("from-file"), path, read.said);
    return std::move(read.times);
  }

  void note(const FindingKind& kind, const std::string& subject, std::string message) {
    result_.notes.push_back({.kind = kind,
                             .severity = kind.severity,
                             .subject = subject,
                             .message = std::move(message),
                             .evidence = {},
                             .remedy = ""});
  }

  const SpecOptions& options_;
  bool chosen_ = false;            // somebody named the scenario
  bool story_ = false;             // nobody named or measured anything
  std::vector<std::string> sets_;  // options and --set, as assignments
  std::string arguments_model_;
  std::optional<ModelFacts> facts_;
  std::size_t measured_ = 0;  // of the observations, the first ones
  SpecScenario reported_;
  SpecQuestion result_;
};

}  // namespace

SpecQuestion resolve_question(const SpecOptions& options) {
  return Question(options).resolve();
}

}  // namespace ringside
