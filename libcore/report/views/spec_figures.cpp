#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "report/views/figures.hpp"

namespace ringside {
namespace {

// How a curve of run-spec is drawn. `against_plain`: in units of what the plain server gives with the same
// strategy, so that speculation breaks even where the curve crosses 1.
struct CurveKind {
  const char* x;  // SpecCurve::x
  const char* title;
  const char* caption;
  const char* axis;
  bool against_plain;
};

constexpr CurveKind kKinds[] = {
    {"acceptance_length", "break-even acceptance length",
     "Speculation pays above 1: tok/s against the plain server with the same strategy.",
     "accepted tokens a step", true},
    {"call_us", "break-even time of a call",
     "Speculation pays above 1: tok/s, with calls of the verify pass as fast as this, against the plain "
     "server.",
     "us per call of the verify pass", true},
    {"draft_tokens", "number of draft tokens", "Higher is better. 1 is no speculation.", "draft tokens",
     false},
};

const SpecCandidate* candidate_of(const SpecResult& spec, const SpecCurve& curve) {
  const auto found = std::ranges::find_if(spec.candidates, [&](const SpecCandidate& candidate) {
    return candidate.strategy == curve.candidate && to_string(candidate.mode) == curve.mode;
  });
  return found == spec.candidates.end() ? nullptr : &*found;
}

FigureSeries series_of(const SpecCurve& curve, double unit) {
  FigureSeries series{.name = fmt::format("{} {}", curve.candidate, curve.mode)};
  for (const auto& [x, y] : curve.points) {
    if (std::isfinite(x) && std::isfinite(y / unit)) series.points.push_back({x, y / unit, {}});
  }
  return series;
}

// The fastest candidates are shown at once, and the reported one, which all are compared with.
void choose_prominent(std::vector<std::pair<const SpecCandidate*, FigureSeries>>& curves) {
  std::ranges::stable_sort(curves, std::greater{}, [](const auto& curve) {
    return curve.first->tokens_s.value_or(curve.first->plain_tokens_s);
  });
  for (std::size_t i = 0; i < curves.size(); ++i)
    curves[i].second.prominent = i + 1 < kProminent || curves[i].first->origin == Origin::reported;
}

Figure figure_of(const CurveKind& kind, const SpecResult& spec) {
  std::vector<std::pair<const SpecCandidate*, FigureSeries>> curves;
  for (const SpecCurve& curve : spec.curves) {
    const SpecCandidate* candidate = candidate_of(spec, curve);
    if (curve.x != kind.x || candidate == nullptr) continue;
    if (candidate->tokens_s && !std::isfinite(*candidate->tokens_s)) continue;
    if (kind.against_plain && !(candidate->plain_tokens_s > 0)) continue;
    FigureSeries series = series_of(curve, kind.against_plain ? candidate->plain_tokens_s : 1);
    if (!series.points.empty()) curves.emplace_back(candidate, std::move(series));
  }
  choose_prominent(curves);
  Figure figure{.id = fmt::format("spec-{}", kind.x),
                .group = "does speculation pay",
                .title = kind.title,
                .caption = kind.caption,
                .x = {kind.axis, AxisQuantity::number, Scale::linear},
                .y = {kind.against_plain ? "tok/s against plain" : "tok/s",
                      kind.against_plain ? AxisQuantity::ratio : AxisQuantity::number, Scale::linear},
                .series = {}};
  if (kind.against_plain && !curves.empty()) {
    const auto& points = curves.front().second.points;
    figure.series.push_back(
        {"break-even", true, true, {{points.front().x, 1, {}}, {points.back().x, 1, {}}}});
  }
  for (auto& [candidate, series] : curves) figure.series.push_back(std::move(series));
  return figure;
}

// Speed-up over batches at one context, a line for each number of drafts; over drafts where there is one
// batch.
Figure estimate_figure(const SpecEstimate& estimate, double context, bool over_batches) {
  Figure figure{.id = fmt::format("spec-{}-{:.0f}", over_batches ? "batch" : "drafts", context),
                .group = "does speculation pay",
                .title = over_batches ? fmt::format("speed-up by batch, context {:.0f}", context)
                                      : fmt::format("speed-up by drafts, batch {}", estimate.batch),
                .caption = "Speculation pays above 1. Intervals are of 90 %, without the slow path.",
                .x = {over_batches ? "running sequences" : "drafts", AxisQuantity::number,
                      over_batches ? Scale::logarithmic : Scale::linear},
                .y = {"tok/s against plain", AxisQuantity::ratio, Scale::linear},
                .series = {}};
  std::map<int, FigureSeries> series;
  double first = 0, last = 0;
  for (const SpecCell& cell : estimate.table) {
    if (cell.context != context || !cell.speedup) continue;
    const double x = over_batches ? cell.batch : cell.drafts;
    if (first == 0) first = x;
    last = std::max(last, x);
    FigureSeries& line = series[over_batches ? cell.drafts : 0];
    line.name = over_batches ? fmt::format("{} drafts", cell.drafts) : "speed-up";
    line.prominent = !over_batches || cell.drafts == estimate.drafts || series.size() <= 4;
    const SpecRange& range = *cell.speedup;
    line.points.push_back({x, range.median, Interval{range.low, range.high}});
  }
  if (series.empty() || last <= first) return figure;
  figure.series.push_back({"break-even", true, true, {{first, 1, {}}, {last, 1, {}}}});
  for (auto& [drafts, line] : series) figure.series.push_back(std::move(line));
  return figure;
}

void add_estimate_figures(const SpecEstimate& estimate, std::vector<Figure>& figures) {
  constexpr std::size_t kContexts = 4;
  std::set<int> batches;
  std::vector<double> contexts;
  for (const SpecCell& cell : estimate.table) {
    batches.insert(cell.batch);
    if (std::ranges::find(contexts, cell.context) == contexts.end()) contexts.push_back(cell.context);
  }
  for (std::size_t i = 0; i < std::min(contexts.size(), kContexts); ++i) {
    Figure figure = estimate_figure(estimate, contexts[i], batches.size() > 1);
    if (!figure.series.empty()) figures.push_back(std::move(figure));
  }
}

}  // namespace

std::vector<Figure> spec_figures(const SpecResult& spec) {
  std::vector<Figure> figures;
  if (spec.estimate) add_estimate_figures(*spec.estimate, figures);
  for (const CurveKind& kind : kKinds) {
    Figure figure = figure_of(kind, spec);
    if (!figure.series.empty()) figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace ringside
