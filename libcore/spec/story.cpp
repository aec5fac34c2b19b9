#include "spec/story.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.hpp"

namespace ringside {
namespace {

constexpr double kMs = 1e6;

class Storyteller {
 public:
  Storyteller(const StepSheet& sheet, const Communication& baseline, const SpecRange& step_ms)
      : scenario_(sheet.scenario()), observed_(scenario_.observed), step_ms_(step_ms) {
    calls_ = allreduce_calls(scenario_, baseline);
    communication_ns_ = forward_ns(scenario_, baseline, scenario_.speculation.verify_tokens());
    drafts_ = scenario_.speculation.drafts();
  }

  Story tell() {
    Story story;
    bound_plain_calls();
    explain_length(story);
    explain_call(story);
    explain_rest(story);
    compare_others();
    story.evidence = std::move(evidence_);
    return story;
  }

 private:
  double needed_ms(double length) const {
    return scenario_.speculation.batch * length / observed_.spec_tokens_s->value * 1e3;
  }
  double communication_ms() const { return communication_ns_ / kMs; }

  // A plain step has the same number of allreduces, so none of them can take longer than its share.
  void bound_plain_calls() {
    if (!observed_.plain_tokens_s || calls_ == 0) return;
    const double plain_ns = scenario_.speculation.batch / observed_.plain_tokens_s->value * 1e9;
    const double most = plain_ns / calls_;
    const double verify = communication_ns_ / calls_;
    evidence_.push_back(fmt::format("a plain step takes {}, so its {} allreduces take at most {} each",
                                    format_time_ns(plain_ns), calls_, format_time_ns(most)));
    if (!observed_.verify_communication_ms) return;
    evidence_.push_back(fmt::format("one of the verify pass takes {}{}", format_time_ns(verify),
                                    verify > most
                                        ? fmt::format(": at least {:.1f} times as long, so the reported time "
                                                      "can't be that of a plain step's calls",
                                                      verify / most)
                                        : ""));
  }

  void explain_length(Story& story) {
    const double per_ms = observed_.spec_tokens_s->value / scenario_.speculation.batch / 1e3;
    SpecExplanation explanation{"acceptance length",
                                "tokens a step",
                                per_ms * step_ms_.median,
                                Interval{per_ms * step_ms_.low, per_ms * step_ms_.high},
                                true,
                                fmt::format("lies between 1 and {}", drafts_ + 1)};
    explanation.possible = explanation.range->high >= 1 && explanation.range->low <= drafts_ + 1;
    story.consistent = explanation.possible;
    length_ = std::clamp(explanation.value, 1.0, drafts_ + 1.0);
    story.explanations.push_back(std::move(explanation));
  }

  // The same throughput with another acceptance length needs other allreduces: at both ends of what drafts of
  // such steps reach.
  void explain_call(Story& story) {
    if (calls_ == 0) return;
    const Interval lengths = given_lengths();
    const auto call_us = [&](double length, double step_ms) {
      return (needed_ms(length) - (step_ms - communication_ms())) / calls_ * 1e3;
    };
    SpecExplanation explanation{
        "allreduce of the verify pass",
        "us",
        call_us((lengths.low + lengths.high) / 2, step_ms_.median),
        Interval{std::max(0.0, call_us(lengths.low, step_ms_.high)), call_us(lengths.high, step_ms_.low)},
        true,
        ""};
    explanation.possible = explanation.range->high > 0;
    explanation.note = fmt::format(
        "at a length of {:.1f} to {:.1f}; {} {:.0f} us", lengths.low, lengths.high,
        observed_.verify_communication_ms ? "reported:" : "taken:", communication_ns_ / calls_ / 1000);
    story.explanations.push_back(std::move(explanation));
  }

  // What a step takes beside its communication.
  void explain_rest(Story& story) {
    const Interval lengths = given_lengths();
    const auto rest_ms = [&](double length) { return needed_ms(length) - communication_ms(); };
    const double modelled = step_ms_.median - communication_ms();
    SpecExplanation explanation{"compute and drafts of a step",
                                "ms",
                                rest_ms((lengths.low + lengths.high) / 2),
                                Interval{rest_ms(lengths.low), rest_ms(lengths.high)},
                                true,
                                ""};
    explanation.possible = explanation.range->high >= step_ms_.low - communication_ms();
    explanation.note = fmt::format("at a length of {:.1f} to {:.1f}; modelled: {:.1f} ms", lengths.low,
                                   lengths.high, modelled);
    story.explanations.push_back(std::move(explanation));
  }

  Interval given_lengths() const {
    if (scenario_.acceptance.length)
      return {scenario_.acceptance.length->low(), scenario_.acceptance.length->high()};
    // A third to five sixths of the drafted levels: where reports of such drafts lie.
    return {1 + drafts_ / 3.0, 1 + drafts_ * 5 / 6.0};
  }

  void compare_others() {
    for (const Observed::Other& other : observed_.others) {
      if (calls_ == 0) return;
      const double step_ms = scenario_.speculation.batch * length_ / other.tokens_s.value * 1e3;
      const double call_ns = (step_ms - (step_ms_.median - communication_ms())) / calls_ * kMs;
      evidence_.push_back(fmt::format("{}: {:g} tok/s fit allreduces of {} at the same acceptance length",
                                      other.name, other.tokens_s.value,
                                      format_time_ns(std::max(0.0, call_ns))));
    }
  }

  const SpecScenario& scenario_;
  const Observed& observed_;
  SpecRange step_ms_;
  int calls_ = 0;
  int drafts_ = 0;
  double communication_ns_ = 0;
  double length_ = 1;
  std::vector<std::string> evidence_;
};

}  // namespace

std::optional<Story> explain_observed(const StepSheet& sheet, const Communication& baseline,
                                      const SpecRange& step_ms) {
  if (!sheet.scenario().observed.spec_tokens_s) return std::nullopt;
  return Storyteller(sheet, baseline, step_ms).tell();
}

}  // namespace ringside
