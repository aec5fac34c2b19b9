#include "spec/step_sheet.hpp"

#include <algorithm>

#include "spec/draft_table.hpp"

namespace ringside {
namespace {

constexpr double kMs = 1e6;
constexpr double kLeastRest =
    0.1;  // of a step that is not communication, whatever the calls are said to take

// The step without communication, before anything was observed.
Posterior without_calls(const ServerWorkload& workload, const ServingLayout& layout) {
  ServerWorkload silent = workload;
  silent.layout = layout;
  silent.allreduce = {
      .at_us = [](double) { return 1e-6; }, .origin = Origin::modelled, .source = "none", .factor = 1.01};
  silent.alltoall = silent.allreduce;
  return {silent, {}};
}

StepPoint verify_point(StepPoint point) {
  point.draft_steps = 0;
  return point;
}

}  // namespace

StepSheet::StepSheet(const Inquiry& inquiry, const Posterior& posterior, const Communication& baseline,
                     bool alltoall)
    : inquiry_(inquiry), baseline_(baseline) {
  const SpeculationShape& shape = inquiry.scenario.speculation;
  std::vector<int> counts = {0};
  for (int count = 1; shape.top_k == 1 && count <= kMostDrafts; ++count) counts.push_back(count);
  counts.push_back(shape.drafts());
  for (const int count : counts) {
    Line& line = lines_[count];
    line.point = point_of(inquiry.scenario, shape.batch, inquiry.scenario.context, count);
    line.step_ns = posterior.step_ms(line.point).median * kMs;
  }
  const Line& plain = lines_.at(0);
  plain_rest_ns_ = std::max(plain.step_ns - communication_ns(baseline, 0), kLeastRest * plain.step_ns);
  Line& asked = lines_.at(shape.drafts());
  asked.verify_ns = posterior.step_ms(verify_point(asked.point)).median * kMs;
  if (!alltoall) return;
  ServingLayout experts = serving_layout(inquiry.scenario.parallel, Layout::ep);
  experts.alltoall = true;
  const Posterior cut = without_calls(inquiry.workload, inquiry.workload.layout);
  const Posterior whole = without_calls(inquiry.workload, experts);
  for (auto& [count, line] : lines_)
    line.ratio = whole.step_ms(line.point).median / cut.step_ms(line.point).median;
}

std::vector<int> StepSheet::drafts() const {
  std::vector<int> counts;
  for (const auto& [count, line] : lines_) counts.push_back(count);
  return counts;
}

double StepSheet::with(const Communication& communication, const Line& line, double step_ns, double own_ns,
                       double candidate_ns) const {
  const bool changes = !communication.alltoall.empty() && baseline_.alltoall.empty();
  const double rest = std::max({step_ns - own_ns, kLeastRest * step_ns, plain_rest_ns_});
  if (!changes) return rest + candidate_ns;
  return std::max(rest * line.ratio, plain_rest_ns_ * lines_.at(0).ratio) + candidate_ns;
}

double StepSheet::communication_ns(const Communication& communication, int drafts) const {
  const StepPoint& point = lines_.at(drafts).point;
  return forward_ns(scenario(), communication, std::int64_t{point.batch} * point.verify_rows) +
         point.draft_steps * draft_step_ns(scenario(), communication);
}

double StepSheet::step_ns(const Communication& communication, int drafts) const {
  const Line& line = lines_.at(drafts);
  return with(communication, line, line.step_ns, communication_ns(baseline_, drafts),
              communication_ns(communication, drafts));
}

double StepSheet::verify_ns(const Communication& communication, int drafts) const {
  const Line& line = lines_.at(drafts);
  const std::int64_t rows = std::int64_t{line.point.batch} * line.point.verify_rows;
  return with(communication, line, line.verify_ns, forward_ns(scenario(), baseline_, rows),
              forward_ns(scenario(), communication, rows));
}

double StepSheet::tokens_s(const Communication& communication, int drafts, double length) const {
  return batch() * length / step_ns(communication, drafts) * 1e9;
}

}  // namespace ringside
