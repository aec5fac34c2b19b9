#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/views/blocks.hpp"
#include "report/views/figures.hpp"

namespace ringside {
namespace {

bool drawable(double value) {
  return std::isfinite(value) && value > 0;
}

// The look that decided; null where there is no ratio to draw.
const ComparisonStage* deciding_look(const Row* row) {
  if (row == nullptr || !row->comparison || row->comparison->stages.empty()) return nullptr;
  const ComparisonStage& stage = row->comparison->stages.back();
  return stage.ratio && drawable(*stage.ratio) && row->params.bytes.count > 0 ? &stage : nullptr;
}

struct Curve {
  FigureSeries series;
  bool passes = true;
  double change = 0;  // the largest |log ratio|
};

Curve curve_of(const SweepBlock& block, std::size_t entry) {
  Curve curve{.series = {.name = block.entries[entry]}};
  for (const SizeLine& line : block.lines) {
    const Row* row = line.rows[entry];
    const ComparisonStage* look = deciding_look(row);
    if (look == nullptr) continue;
    FigurePoint point{static_cast<double>(line.bytes.count), *look->ratio, look->ratio_interval90};
    if (point.interval && !(drawable(point.interval->low) && drawable(point.interval->high)))
      point.interval.reset();
    curve.series.points.push_back(point);
    curve.passes = curve.passes && row->status == Status::pass;
    curve.change = std::max(curve.change, std::abs(std::log(point.y)));
  }
  return curve;
}

// Size -> its highest threshold. What lies beyond it counts for each of its cases.
std::map<Bytes, double> thresholds(const SweepBlock& block) {
  std::map<Bytes, double> highest;
  for (const SizeLine& line : block.lines) {
    for (const Row* row : line.rows) {
      if (deciding_look(row) == nullptr || !drawable(1 + row->comparison->threshold)) continue;
      double& known = highest[line.bytes];
      known = std::max(known, row->comparison->threshold);
    }
  }
  return highest;
}

void add_thresholds(Figure& figure, const SweepBlock& block) {
  FigureSeries slower{.name = "slower from", .limit = true, .prominent = true};
  FigureSeries faster{.name = "faster from", .limit = true, .prominent = true};
  for (const auto& [bytes, threshold] : thresholds(block)) {
    slower.points.push_back({static_cast<double>(bytes.count), 1 + threshold, {}});
    faster.points.push_back({static_cast<double>(bytes.count), 1 / (1 + threshold), {}});
  }
  if (slower.points.empty()) return;
  figure.series.push_back(std::move(slower));
  figure.series.push_back(std::move(faster));
}

}  // namespace

std::vector<Figure> comparison_figures(const Document& document) {
  std::vector<Figure> figures;
  for (const SweepBlock& block : sweep_blocks(document)) {
    std::vector<Curve> curves;
    for (std::size_t i = 0; i < block.entries.size(); ++i) {
      Curve curve = curve_of(block, i);
      if (!curve.series.points.empty()) curves.push_back(std::move(curve));
    }
    if (curves.empty()) continue;
    // What does not plainly pass is shown first, then what changed most.
    std::ranges::stable_sort(curves, [](const Curve& a, const Curve& b) {
      return a.passes != b.passes ? b.passes : a.change > b.change;
    });
    Figure figure{
        .id = fmt::format("comparison-{}", figures.size() + 1),
        .group = fmt::format("{}, {} ranks on {}", block.name(), block.ranks, to_string(block.device)),
        .title = "new against base",
        .caption =
            "Above 1 is slower; whiskers are the 90 % interval. Beyond the dashed lines, the "
            "highest threshold of a size, a change counts.",
        .x = {"message size", AxisQuantity::bytes, Scale::logarithmic},
        .y = {"new / base", AxisQuantity::ratio, Scale::logarithmic},
        .series = {}};
    for (std::size_t i = 0; i < curves.size(); ++i) {
      curves[i].series.prominent = i < kProminent;
      figure.series.push_back(std::move(curves[i].series));
    }
    if (document.comparison && document.comparison->judged) add_thresholds(figure, block);
    figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace ringside
