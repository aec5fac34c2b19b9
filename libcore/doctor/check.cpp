#include "doctor/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace ringside {
namespace {

// Inside a function: checks register themselves before main, in any order.
std::vector<Check>& registry() {
  static std::vector<Check> checks;
  return checks;
}

int rank_of(const CheckOutcome& outcome) {
  switch (outcome.result) {
    case CheckResult::not_ok:
      return outcome.severity == Severity::error ? 0 : 1;
    case CheckResult::ok:
      return 2;
    case CheckResult::not_known:
      break;
  }
  return 3;
}

CheckOutcomes outcomes_of(const Check& check, const BoxFacts& facts) {
  const auto seen = facts.number("gpus.count");
  if (check.gpus > 0 && !seen) return {check_unknown("no GPU was seen: " + facts.why("gpus.count"))};
  if (check.gpus > facts.count("gpus.count"))
    return {check_unknown(fmt::format("it takes {} GPUs; seen: {}", check.gpus, *seen))};
  return check.judge(facts);
}

}  // namespace

CheckOutcome check_ok(std::string sentence, std::string subject) {
  CheckOutcome outcome;
  outcome.subject = std::move(subject);
  outcome.result = CheckResult::ok;
  outcome.sentence = std::move(sentence);
  return outcome;
}

CheckOutcome check_unknown(std::string reason, std::string subject) {
  CheckOutcome outcome;
  outcome.subject = std::move(subject);
  outcome.sentence = std::move(reason);
  return outcome;
}

CheckOutcome check_error(std::string sentence, std::string remedy, std::vector<std::string> evidence,
                         std::string subject) {
  CheckOutcome outcome;
  outcome.subject = std::move(subject);
  outcome.result = CheckResult::not_ok;
  outcome.severity = Severity::error;
  outcome.sentence = std::move(sentence);
  outcome.remedy = std::move(remedy);
  outcome.evidence = std::move(evidence);
  return outcome;
}

CheckOutcome check_hint(std::string sentence, std::string remedy, std::vector<std::string> evidence,
                        std::string subject) {
  CheckOutcome outcome =
      check_error(std::move(sentence), std::move(remedy), std::move(evidence), std::move(subject));
  outcome.severity = Severity::warning;
  return outcome;
}

std::span<const Check> all_checks() {
  return registry();
}

RegisterCheck::RegisterCheck(const Check& check) {
  auto& checks = registry();
  checks.insert(std::ranges::upper_bound(checks, check.name, {}, &Check::name), check);
}

CheckOutcomes judge_box(const BoxFacts& facts) {
  CheckOutcomes all;
  for (const Check& check : all_checks()) {
    for (CheckOutcome& outcome : outcomes_of(check, facts)) {
      outcome.check = check.name;
      all.push_back(std::move(outcome));
    }
  }
  std::ranges::stable_sort(all, {}, rank_of);
  return all;
}

std::vector<std::string> gpu_names(const BoxFacts& facts) {
  std::vector<std::string> names;
  for (int gpu = 0; gpu < facts.count("gpus.count"); ++gpu) names.push_back(fmt::format("gpu.{}", gpu));
  return names;
}

}  // namespace ringside
