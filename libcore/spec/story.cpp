#include "spec/story.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.hpp"

namespace ringside {
namespace {

constexpr double kMs = 1e6;

class Storyteller {
 public:
  Storyteller(const SpecScenario& scenario, const ComputeTimes& compute, const Communication& baseline)
      : scenario_(scenario), compute_(compute), shape_(scenario.speculation), observed_(scenario.observed) {
    const double modelled = forward_ns(scenario, baseline, shape_.verify_tokens());
    communication_ns_ =
        observed_.verify_communication_ms ? observed_.verify_communication_ms->value * kMs : modelled;
    draft_call_ns_ = draft_step_ns(scenario, baseline);
    const double per_call = communication_ns_ / std::max(scenario.model.allreduces, 1);
    draft_call_most_ns_ = std::max(draft_call_ns_, shape_.draft_allreduces * per_call);
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
  double step_ns(double tokens_s, double length) const { return shape_.batch * length / tokens_s * 1e9; }
  double levels() const { return shape_.steps; }

  // Compute and drafts of a step, at the low end, as assumed, and at the high end.
  double rest_low() const { return compute_.verify_ns.low() + levels() * compute_.draft_ns.low(); }
  double rest() const {
    return compute_.verify_ns.value + levels() * (compute_.draft_ns.value + draft_call_ns_);
  }
  double rest_high() const {
    return compute_.verify_ns.high() + levels() * (compute_.draft_ns.high() + draft_call_most_ns_);
  }

  // A plain step has the same number of allreduces, so none of them can take longer than its share.
  void bound_plain_calls() {
    if (!observed_.plain_tokens_s) return;
    const double plain_ns = shape_.batch / observed_.plain_tokens_s->value * 1e9;
    const double most = plain_ns / scenario_.model.allreduces;
    const double verify = communication_ns_ / scenario_.model.allreduces;
    evidence_.push_back(fmt::format("a plain step takes {}, so its {} allreduces take at most {} each",
                                    format_time_ns(plain_ns), scenario_.model.allreduces,
                                    format_time_ns(most)));
    evidence_.push_back(fmt::format("one of the verify pass takes {}{}", format_time_ns(verify),
                                    verify > most
                                        ? fmt::format(": at least {:.1f} times as long, so the reported time "
                                                      "can't be that of a plain step's calls",
                                                      verify / most)
                                        : ""));
  }

  void explain_length(Story& story) {
    const double tokens_s = observed_.spec_tokens_s->value;
    const auto length = [&](double rest_ns) {
      return tokens_s * (communication_ns_ + rest_ns) / shape_.batch / 1e9;
    };
    const double most = shape_.steps + 1;
    SpecExplanation explanation{"acceptance length",
                                "tokens a step",
                                length(rest()),
                                Interval{length(rest_low()), length(rest_high())},
                                true,
                                ""};
    explanation.possible = explanation.range->high >= 1 && explanation.range->low <= most;
    explanation.note = fmt::format("lies between 1 and {}", shape_.steps + 1);
    story.consistent = explanation.possible;
    story.length = Quantity{.value = std::clamp(explanation.value, 1.0, most), .origin = Origin::modelled};
    story.length->range = {std::clamp(explanation.range->low, 1.0, most),
                           std::clamp(explanation.range->high, 1.0, most)};
    story.length->source = "what explains the observed throughput";
    story.explanations.push_back(std::move(explanation));
    length_ = story.length;
  }

  // The same throughput with another acceptance length needs other allreduces: at both ends of what drafts of
  // such steps reach.
  void explain_call(Story& story) {
    const Interval lengths = given_lengths();
    const auto call = [&](double length, double rest_ns) {
      return (step_ns(observed_.spec_tokens_s->value, length) - rest_ns) / scenario_.model.allreduces / 1000;
    };
    SpecExplanation explanation{
        "allreduce of the verify pass",
        "us",
        call((lengths.low + lengths.high) / 2, rest()),
        Interval{std::max(0.0, call(lengths.low, rest_high())), call(lengths.high, rest_low())},
        true,
        ""};
    explanation.possible = explanation.range->high > 0;
    explanation.note =
        fmt::format("at a length of {:.1f} to {:.1f}; {} says {:.0f} us", lengths.low, lengths.high,
                    observed_.verify_communication_ms ? "the report" : "the machine's model",
                    communication_ns_ / scenario_.model.allreduces / 1000);
    story.explanations.push_back(std::move(explanation));
  }

  // What a step takes beside its communication.
  void explain_rest(Story& story) {
    const Interval lengths = given_lengths();
    const double tokens_s = observed_.spec_tokens_s->value;
    const auto rest_ms = [&](double length) { return (step_ns(tokens_s, length) - communication_ns_) / kMs; };
    SpecExplanation explanation{"compute and drafts of a step",
                                "ms",
                                rest_ms((lengths.low + lengths.high) / 2),
                                Interval{rest_ms(lengths.low), rest_ms(lengths.high)},
                                true,
                                ""};
    explanation.possible = explanation.range->high * kMs >= rest_low();
    explanation.note = fmt::format("at a length of {:.1f} to {:.1f}; modelled: {:.1f} ms", lengths.low,
                                   lengths.high, rest() / kMs);
    story.explanations.push_back(std::move(explanation));
  }

  Interval given_lengths() const {
    if (scenario_.acceptance.length)
      return {scenario_.acceptance.length->low(), scenario_.acceptance.length->high()};
    // A third to five sixths of the drafted levels: where reports of such drafts lie.
    return {1 + levels() / 3, 1 + levels() * 5 / 6};
  }

  void compare_others() {
    if (!length_) return;
    for (const Observed::Other& other : observed_.others) {
      const double call =
          (step_ns(other.tokens_s.value, length_->value) - rest()) / scenario_.model.allreduces;
      evidence_.push_back(fmt::format("{}: {:g} tok/s fit allreduces of {} at the same acceptance length",
                                      other.name, other.tokens_s.value, format_time_ns(std::max(0.0, call))));
    }
  }

  const SpecScenario& scenario_;
  const ComputeTimes& compute_;
  const SpeculationShape& shape_;
  const Observed& observed_;
  double communication_ns_ = 0;
  double draft_call_ns_ = 0;
  double draft_call_most_ns_ = 0;
  std::vector<std::string> evidence_;
  std::optional<Quantity> length_;
};

}  // namespace

std::optional<Story> explain_observed(const SpecScenario& scenario, const ComputeTimes& compute,
                                      const Communication& baseline) {
  if (!scenario.observed.spec_tokens_s) return std::nullopt;
  return Storyteller(scenario, compute, baseline).tell();
}

}  // namespace ringside
