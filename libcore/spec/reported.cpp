#include "spec/reported.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "spec/overrides.hpp"

namespace ringside {
namespace {

// Drops observed numbers and remembers their names.
class Pruner {
 public:
  explicit Pruner(const std::vector<std::string>& given) : given_(given) {}

  void drop(std::optional<Quantity>& quantity, const char* path) {
    if (!quantity || is_set(given_, path)) return;
    quantity.reset();
    dropped_.emplace_back(path);
  }
  void drop(std::vector<Observed::Other>& others, const char* path) {
    if (others.empty() || is_set(given_, path)) return;
    others.clear();
    dropped_.emplace_back(path);
  }
  const std::vector<std::string>& dropped() const { return dropped_; }

 private:
  const std::vector<std::string>& given_;
  std::vector<std::string> dropped_;
};

bool same_draft(const SpeculationShape& a, const SpeculationShape& b) {
  return a.steps == b.steps && a.top_k == b.top_k && a.draft_tokens == b.draft_tokens &&
         a.draft_layers == b.draft_layers && a.draft_allreduces == b.draft_allreduces;
}

}  // namespace

std::optional<Finding> leave_out_stale(const SpecScenario& reported, const std::string& reported_machine,
                                       const std::string& machine, const std::vector<std::string>& given,
                                       SpecScenario& scenario) {
  std::vector<std::string> changed;
  if (!(scenario.model == reported.model)) changed.emplace_back("model");
  const ParallelLayout& layout = scenario.parallel;
  if (layout.tp != reported.parallel.tp || layout.dp_attention != reported.parallel.dp_attention)
    changed.emplace_back("layout");
  if (machine != reported_machine) changed.emplace_back("machine");
  const bool place = !changed.empty();
  const bool experts = layout.ep != reported.parallel.ep;
  const bool batch = scenario.speculation.batch != reported.speculation.batch;
  const bool draft = !same_draft(scenario.speculation, reported.speculation);
  if (experts && !place) changed.emplace_back("expert parallelism");
  if (batch) changed.emplace_back("batch");
  if (draft) changed.emplace_back("draft");

  Pruner pruner(given);
  Observed& observed = scenario.observed;
  if (place) pruner.drop(observed.free_tp_gib, "observed.free_tp_gib");
  if (place || experts) pruner.drop(observed.free_ep_gib, "observed.free_ep_gib");
  if (place || batch) pruner.drop(observed.plain_tokens_s, "observed.plain_tokens_s");
  if (place || batch || draft) {
    pruner.drop(observed.spec_tokens_s, "observed.spec_tokens_s");
    pruner.drop(observed.verify_communication_ms, "observed.verify_communication_ms");
    pruner.drop(observed.others, "observed.others");
  }
  if (pruner.dropped().empty()) return std::nullopt;
  return Finding{.kind = finding_kind("reported-for-another"),
                 .severity = Severity::note,
                 .subject = scenario.name,
                 .message = fmt::format("{} left out, reported for another {}", join(pruner.dropped(), ", "),
                                        join(changed, ", ")),
                 .evidence = {},
                 .remedy = ""};
}

}  // namespace ringside
