#include "run/spec_question.hpp"

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "base/text.hpp"
#include "machine/profile_catalogue.hpp"
#include "spec/model_config.hpp"
#include "spec/overrides.hpp"
#include "spec/reported.hpp"
#include "spec/server_log.hpp"
#include "sweep/request_limits.hpp"

namespace ringside {
namespace {

constexpr std::size_t kMostConfig = 16u << 20;
constexpr std::size_t kMostLog = 512u << 20;

std::string with_range(const Quantity& quantity, const char* unit) {
  if (!quantity.range) return fmt::format("{:g} {}", quantity.value, unit);
  return fmt::format("{:g} {} ({:g} to {:g})", quantity.value, unit, quantity.low(), quantity.high());
}

class Question {
 public:
  explicit Question(const SpecOptions& options) : options_(options), given_(options.sets) {}

  SpecQuestion resolve() {
    std::string name = options_.scenario;
    if (name.empty()) name = options_.config ? "template" : "kimi-k2.5-eagle3";
    std::optional<ModelShape> model;
    if (options_.config) model = read_config(*options_.config);
    const ScenarioText text = find_spec_text(name);
    inputs_.push_back(input_text("scenario", text.origin, text.text, withheld_));
    scenario_ = read_spec_scenario(text, options_.sets, model);
    const SpecScenario reported = as_reported(text);
    for (const std::string& log : options_.logs) use_log(log);
    check_spec_scenario(scenario_);
    const std::string machine = options_.flags.machine.value_or(machine_name(scenario_));
    if (auto finding = leave_out_stale(reported, machine_name(reported), machine, given_, scenario_))
      notes_.push_back(std::move(*finding));
    return {std::move(scenario_), std::move(notes_), std::move(inputs_), std::move(withheld_)};
  }

 private:
  // The scenario before --set; where it can't be read without, what was set is what is reported.
  SpecScenario as_reported(const ScenarioText& text) const {
    try {
      return read_spec_scenario(text);
    } catch (const UsageError&) {
      return scenario_;
    }
  }

  ModelShape read_config(const std::string& path) {
    const std::string text = read_input(path, kMostConfig);
    inputs_.push_back(input_text("model config", path, text, withheld_));
    ModelConfig config = read_model_config(text, path);
    for (const std::string& doubt : config.doubts)
      note(finding_kind("config-doubt"), Severity::warning, path, fmt::format("{}: {}", path, doubt));
    return std::move(config.model);
  }

  // A log of a speculating server gives acceptance and its throughput, one of a plain server the plain one.
  void use_log(const std::string& path) {
    const std::string text = read_input(path, kMostLog);
    inputs_.push_back(input_text("log", path, text, withheld_, false));
    ServerLog log = read_server_log(text, path);
    if (!log.acceptance_length && !log.tokens_s) {
      throw UsageError(
          fmt::format("{}: no line of an SGLang server ('accept len:', 'gen throughput (token/s):') or of a "
                      "vLLM server ('SpecDecoding metrics:', 'Avg generation throughput:') says anything",
                      path));
    }
    const std::string source =
        fmt::format("{}, {} line{} of {}", path, log.used, log.used == 1 ? "" : "s", log.server);
    for (auto* quantity : {&log.acceptance_length, &log.tokens_s}) {
      if (*quantity) (*quantity)->source = source;
    }
    std::vector<std::string> read = {
        fmt::format("{} of {} {} of {}", log.used, log.lines, log.lines == 1 ? "line" : "lines", log.server)};
    if (log.running) read.push_back(fmt::format("{} running", *log.running));
    if (log.acceptance_length) read.push_back(with_range(*log.acceptance_length, "tokens a step"));
    if (log.tokens_s)
      read.push_back(with_range(*log.tokens_s, log.speculative ? "tok/s with speculation" : "tok/s, plain"));
    const bool same_batch = take_batch(log.running);
    if (!same_batch)
      read.push_back(fmt::format("its rate is left out, as the batch is {}", scenario_.speculation.batch));
    note(finding_kind("from-log"), Severity::note, path, fmt::format("{}: {}", path, join(read, ", ")));
    if (log.acceptance_length && !is_set(options_.sets, "acceptance")) take_acceptance(path, log);
    if (log.tokens_s && same_batch) take_rate(log);
  }

  // Whether the log's rate is one of the scenario's batch.
  bool take_batch(const std::optional<int>& running) {
    if (!running) return true;
    if (!is_set(given_, "speculation.batch")) {
      scenario_.speculation.batch = *running;
      given_.push_back("speculation.batch=");
    }
    return scenario_.speculation.batch == *running;
  }

  void take_acceptance(const std::string& path, const ServerLog& log) {
    const int steps = scenario_.speculation.steps;
    Quantity length = *log.acceptance_length;
    if (length.value > steps + 1) {
      throw UsageError(
          fmt::format("{}: an acceptance length of {} needs more draft steps than the scenario's {} (--set "
                      "speculation.steps=N)",
                      path, length.value, steps));
    }
    if (length.range) length.range->high = std::min(length.range->high, steps + 1.0);
    scenario_.acceptance = {};
    if (static_cast<int>(log.rates.size()) == steps) {
      scenario_.acceptance.rates = log.rates;
      scenario_.acceptance.rates_origin = Origin::measured;
      scenario_.acceptance.rates_length = length.range;
    } else {
      scenario_.acceptance.length = length;
    }
  }

  void take_rate(const ServerLog& log) {
    const char* const path = log.speculative ? "observed.spec_tokens_s" : "observed.plain_tokens_s";
    if (is_set(options_.sets, path)) return;
    Observed& observed = scenario_.observed;
    (log.speculative ? observed.spec_tokens_s : observed.plain_tokens_s) = log.tokens_s;
    given_.push_back(fmt::format("{}=", path));
  }

  void note(const FindingKind& kind, Severity severity, const std::string& subject, std::string message) {
    notes_.push_back({.kind = kind,
                      .severity = severity,
                      .subject = subject,
                      .message = std::move(message),
                      .evidence = {},
                      .remedy = ""});
  }

  const SpecOptions& options_;
  std::vector<std::string> given_;  // paths that don't have the scenario's own value, as assignments
  SpecScenario scenario_;
  std::vector<Finding> notes_;
  std::vector<InputText> inputs_;
  Withheld withheld_;
};

}  // namespace

SpecQuestion resolve_scenario(const SpecOptions& options) {
  return Question(options).resolve();
}

std::string machine_name(const SpecScenario& scenario) {
  return scenario.machine.empty() ? kDefaultMachine : scenario.machine;
}

}  // namespace ringside
