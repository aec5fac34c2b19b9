#include "trace/core/coverage.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace ringside {

namespace {

int count_checks(const Pipeline& pipeline) {
  std::set<std::string> places;
  for (const auto& [name, procedure] : pipeline.procedures)
    for (const Step& step : procedure.steps)
      if (step.of_arguments && (step.effect == EffectKind::check || step.effect == EffectKind::raise))
        places.insert(step.place.text());
  return static_cast<int>(places.size());
}

bool holds_step(const Pipeline& pipeline, const std::string& target) {
  return std::any_of(pipeline.procedures.begin(), pipeline.procedures.end(), [&](const auto& entry) {
    return std::any_of(entry.second.steps.begin(), entry.second.steps.end(),
                       [&](const Step& step) { return step.target == target; });
  });
}

TraceScope arguments(const Pipeline& pipeline, const Evaluation& evaluation) {
  TraceScope scope;
  scope.scope = kArgumentsScope;
  scope.covered = pipeline.arguments == "read";
  scope.checks = count_checks(pipeline);
  if (!scope.covered) {
    scope.checks = 0;
    scope.text = pipeline.arguments == "lost" ? "nothing of the server's own checks was found in this tree"
                                              : "this pipeline does not hold the server's own checks";
    return scope;
  }
  for (const auto& [place, line] : evaluation.not_evaluated) scope.not_evaluated.push_back(line);
  scope.evaluated = std::max(scope.checks - static_cast<int>(scope.not_evaluated.size()), 0);
  const int share = scope.checks == 0 ? 100 : 100 * scope.evaluated / scope.checks;
  scope.text =
      fmt::format("{} of the server's own {} checks evaluated ({} %)", scope.evaluated, scope.checks, share);
  if (evaluation.death && evaluation.death->worker == to_string(Worker::main))
    scope.text += ", up to the one that fails";
  return scope;
}

TraceScope experts(const Pipeline& pipeline, const Evaluation& evaluation) {
  TraceScope scope;
  scope.scope = kExpertsScope;
  const bool known = holds_step(pipeline, "state.expert_location_metadata");
  const bool before = evaluation.death && evaluation.death->worker == to_string(Worker::main);
  scope.covered = known && !before;
  scope.text = !known   ? "this pipeline has no step that sets the expert locations"
               : before ? "it ends before"
                        : "from the metadata to the model's own calls for the dispatch table";
  return scope;
}

TraceScope memory(const Launch& launch) {
  TraceScope scope;
  scope.scope = kMemoryScope;
  scope.covered = launch.memory.contains("free_after_weights") && launch.memory.contains("total");
  scope.text = scope.covered ? "what the weights leave for the KV pool"
                             : "not given (--gpu-memory and --free-after-weights)";
  return scope;
}

}  // namespace

std::vector<TraceScope> coverage(const Pipeline& pipeline, const Launch& launch,
                                 const Evaluation& evaluation) {
  return {arguments(pipeline, evaluation), experts(pipeline, evaluation), memory(launch)};
}

std::vector<std::string> not_checked(const Pipeline& pipeline, const std::vector<TraceScope>& scopes) {
  std::vector<std::string> lines;
  for (const TraceScope& scope : scopes)
    if (!scope.covered) lines.push_back(fmt::format("{}: {}", scope.scope, scope.text));
  lines.insert(lines.end(), pipeline.absent.begin(), pipeline.absent.end());
  for (const char* other :
       {"the model's configuration and its files",
        "kernels: whether they exist for this GPU and these shapes",
        "quantised shapes other than those of expert layers", "the memory of weights, graphs and activations",
        "the network and NCCL", "other processes, ports, and the versions of installed packages"})
    lines.emplace_back(other);
  return lines;
}

std::vector<std::string> uncovered(const std::vector<TraceScope>& scopes,
                                   const std::vector<std::string>& wanted) {
  std::vector<std::string> missing;
  for (const std::string& name : wanted) {
    const auto found = std::find_if(scopes.begin(), scopes.end(),
                                    [&](const TraceScope& scope) { return scope.scope == name; });
    if (found == scopes.end() || !found->covered) missing.push_back(name);
  }
  return missing;
}

}  // namespace ringside
