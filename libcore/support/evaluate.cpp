#include "support/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace ringside {
namespace {

void add_missing(std::vector<std::string>& all, const std::vector<std::string>& more) {
  for (const std::string& one : more) {
    if (std::ranges::find(all, one) == all.end()) all.push_back(one);
  }
}

class Evaluation {
 public:
  Evaluation(const SupportTable& table, const Edition& edition, const SupportQuery& query)
      : table_(table), edition_(edition), query_(query) {
    others_.started = [this](const std::string& name) { return started(*table_.path(name)); };
    others_.takes = [this](const std::string& name) { return verdict(*table_.path(name)).result; };
    others_.fact_title = [this](const std::string& name) {
      return std::ranges::find(table_.facts, name, &SupportFact::name)->title;
    };
  }
  Evaluation(const Evaluation&) = delete;
  Evaluation& operator=(const Evaluation&) = delete;

  PathVerdict verdict(const SupportPath& path) const {
    PathVerdict verdict{.path = &path, .result = {}, .kernel = {}, .stand_in = path.stand_in, .why_not = {}};
    verdict.result = all_of(path, path.rules, [](const SupportRule&) { return true; });
    if (!path.kernels.empty()) take_kernel(path, verdict);
    return verdict;
  }

 private:
  // A rule that fails settles it, whatever else is open.
  template <typename Counts>
  RuleResult all_of(const SupportPath& path, const std::vector<SupportRule>& rules, Counts counts) const {
    RuleResult all;
    switch (path.period.of(edition_)) {
      case Period::Cover::none:
        return RuleResult::failed(path.period.since.empty() || edition_.from >= path.period.since
                                      ? "is gone by then"
                                      : "is not there yet");
      case Period::Cover::part:
        all = RuleResult::open(fmt::format("whether {} has {}", edition_.name, path.period.change_text()));
        break;
      case Period::Cover::all:
        break;
    }
    for (const SupportRule& rule : rules) {
      if (!counts(rule)) continue;
      RuleResult one = judge(rule, edition_, query_, others_);
      if (one.outcome == Outcome::fails) return one;
      if (one.outcome == Outcome::holds) continue;
      all.outcome = Outcome::unknown;
      add_missing(all.missing, one.missing);
    }
    return all;
  }

  RuleResult started(const SupportPath& path) const {
    return all_of(path, path.rules, [](const SupportRule& rule) { return rule.at_start(); });
  }

  // The first kernel that takes it. One that may, before it, leaves open which.
  void take_kernel(const SupportPath& path, PathVerdict& verdict) const {
    std::vector<std::string> open;
    for (const SupportKernel& kernel : path.kernels) {
      const RuleResult one = all_of(path, kernel.rules, [](const SupportRule&) { return true; });
      if (one.outcome == Outcome::unknown) add_missing(open, one.missing);
      if (one.outcome != Outcome::holds) continue;
      if (open.empty()) {
        verdict.kernel = kernel.name;
        verdict.stand_in = kernel.stand_in;
      }
      return;
    }
    if (verdict.result.outcome == Outcome::fails) return;
    if (open.empty()) {
      verdict.result = RuleResult::failed("has no kernel for this size");
    } else {
      verdict.result.outcome = Outcome::unknown;
      add_missing(verdict.result.missing, open);
    }
  }

  const SupportTable& table_;
  const Edition& edition_;
  const SupportQuery& query_;
  OtherPaths others_;
};

}  // namespace

SupportAnswer evaluate(const SupportTable& table, const Edition& edition, const SupportQuery& query) {
  const Evaluation evaluation(table, edition, query);
  SupportAnswer answer;
  answer.note = edition.note;
  for (const SupportPath& path : table.paths) answer.paths.push_back(evaluation.verdict(path));
  const PathVerdict* taken = nullptr;
  for (std::size_t i = 0; i < answer.paths.size(); ++i) {
    PathVerdict& verdict = answer.paths[i];
    if (verdict.result.outcome == Outcome::fails) {
      verdict.why_not = verdict.result.reason;
    } else if (taken != nullptr) {
      verdict.why_not = fmt::format("asked after {}", taken->path->name);
    } else if (verdict.result.outcome == Outcome::unknown) {
      verdict.why_not = "not known: " + join(verdict.result.missing, "; ");
      if (table.chooses) add_missing(answer.missing, verdict.result.missing);
    } else if (table.chooses) {
      taken = &verdict;
      if (answer.missing.empty()) {
        answer.chosen = i;
      } else {
        verdict.why_not = "taken unless a path before it is";
      }
    }
  }
  return answer;
}

}  // namespace ringside
