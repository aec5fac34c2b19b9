#include "trace/sglang/call_graph.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/text.hpp"

namespace ringside {

namespace {

constexpr std::size_t kMaxDepth = 200;

class CallGraph {
 public:
  explicit CallGraph(const Pipeline& pipeline) : pipeline_(pipeline) {
    for (const auto& [name, procedure] : pipeline.procedures) names_.push_back(name);
  }

  void follow(const std::string& name) {
    const auto found = pipeline_.procedures.find(name);
    if (found == pipeline_.procedures.end())
      throw UsageError(fmt::format("{}: there is no procedure '{}'{}", pipeline_.origin, name,
                                   did_you_mean(name, names_)));
    const auto again = std::find(active_.begin(), active_.end(), name);
    if (again != active_.end())
      throw UsageError(fmt::format("{}: procedures call each other in a circle: {} > {}", pipeline_.origin,
                                   fmt::join(again, active_.end(), " > "), name));
    if (active_.size() >= kMaxDepth)
      throw UsageError(
          fmt::format("{}: procedures call each other more than {} deep", pipeline_.origin, kMaxDepth));
    if (!done_.insert(name).second) return;
    active_.push_back(name);
    for (const Step& step : found->second.steps)
      if (step.effect == EffectKind::call) follow(step.target);
    active_.pop_back();
  }

 private:
  const Pipeline& pipeline_;
  std::vector<std::string> names_;
  std::vector<std::string> active_;
  std::set<std::string> done_;
};

}  // namespace

void check_calls(const Pipeline& pipeline) {
  CallGraph graph(pipeline);
  graph.follow(pipeline.entry);
  for (const auto& [name, procedure] : pipeline.procedures) graph.follow(name);
  const bool reached = std::any_of(pipeline.classes.begin(), pipeline.classes.end(),
                                   [](const auto& entry) { return !entry.second.sites.empty(); });
  if (reached) graph.follow(kDispatchProcedure);
}

}  // namespace ringside
