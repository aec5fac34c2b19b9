#include "spec/inquiry.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace ringside {
namespace {

constexpr double kOneWindow = 0.03;  // one sigma of a speed without a spread
constexpr double kLeastError = 0.01;
constexpr double kTenths = 2.5631;  // sigmas between the tenth at both ends of a normal distribution

bool looks_up(const SpecScenario& scenario) {
  std::string name = scenario.speculation.algorithm;
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name.find("gram") != std::string::npos;  // n-gram, NGRAM: no draft model runs
}

StepPoint speculative_point(const SpecScenario& scenario, int batch, double context, int levels, int width,
                            int rows) {
  StepPoint point =
      width > 1 ? tree_point(batch, levels, width, rows, context) : chain_point(batch, levels, context);
  if (looks_up(scenario)) point.draft_steps = 0;
  return point;
}

}  // namespace

StepPoint point_of(const SpecScenario& scenario, int batch, double context, int drafts) {
  if (drafts == 0) return plain_point(batch, context);
  const SpeculationShape& shape = scenario.speculation;
  return speculative_point(scenario, batch, context, drafts, shape.top_k, shape.draft_tokens);
}

StepPoint asked_point(const Inquiry& inquiry) {
  const SpecScenario& scenario = inquiry.scenario;
  return point_of(scenario, scenario.speculation.batch, scenario.context, scenario.speculation.drafts());
}

int drafts_of(const SpecScenario& scenario, const SpeedReading& reading) {
  if (reading.arguments.draft_steps) return *reading.arguments.draft_steps;
  if (!reading.rates.empty()) return static_cast<int>(reading.rates.size());
  return scenario.speculation.drafts();
}

StepPoint point_of(const SpecScenario& scenario, const SpeedReading& reading) {
  const int batch =
      std::max(1, static_cast<int>(std::lround(reading.batch.value_or(scenario.speculation.batch))));
  const double context = reading.context.value_or(scenario.context);
  if (!reading.speculative) return plain_point(batch, context);
  const int levels = std::max(drafts_of(scenario, reading), 1);
  const SpeculationShape& shape = scenario.speculation;
  const bool asked = levels == shape.drafts();
  const int width = reading.arguments.draft_width.value_or(asked ? shape.top_k : 1);
  const int rows = reading.arguments.verify_rows.value_or(asked ? shape.draft_tokens : levels + 1);
  return speculative_point(scenario, batch, context, levels, width, std::max(rows, 2));
}

double relative_error(const SpeedReading& reading) {
  if (!reading.spread || reading.spread->low <= 0 || reading.windows < 2) return kOneWindow;
  return std::max(std::log(reading.spread->high / reading.spread->low) / kTenths, kLeastError);
}

}  // namespace ringside
