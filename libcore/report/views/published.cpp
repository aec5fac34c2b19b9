#include "report/views/published.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace ringside {
namespace {

double distance(const PublishedPoint* point) {
  return std::fabs(std::log(point->ratio()));
}

std::string microseconds(double ns) {
  return format_three_digits(ns / 1e3);
}

std::string others(const std::vector<const PublishedPoint*>& points, const PublishedPoint* told) {
  if (points.size() < 2) return "";
  double least = INFINITY;
  double most = 0;
  for (const PublishedPoint* point : points) {
    if (point == told) continue;
    least = std::min(least, point->ratio());
    most = std::max(most, point->ratio());
  }
  const std::string low = format_three_digits(least);
  const std::string high = format_three_digits(most);
  return fmt::format("; at {} other size{} {} times", points.size() - 1, points.size() == 2 ? "" : "s",
                     low == high ? low : low + " to " + high);
}

}  // namespace

std::string published_line(const PublishedComparison& comparison) {
  std::vector<const PublishedPoint*> points;
  for (const PublishedPoint& point : comparison.points) {
    if (std::isfinite(point.ratio()) && point.ratio() > 0) points.push_back(&point);
  }
  if (points.empty()) return "";
  const PublishedPoint* const farthest = *std::ranges::max_element(points, {}, distance);
  const std::string here = comparison.version_here.empty()
                               ? "version not known"
                               : comparison.library + " " + comparison.version_here;
  return fmt::format(
      "published for {} x {}, {} {}: {} us at {}{}; here {} us ({}, {}): {} times as long{}. Another server "
      "may "
      "be wired differently. Source: {}",
      comparison.gpus, comparison.gpu, comparison.library, comparison.version,
      microseconds(farthest->published_ns), format_size(farthest->bytes),
      farthest->interpolated ? " (between two sizes)" : "", microseconds(farthest->here_ns),
      comparison.strategy, here, format_three_digits(farthest->ratio()), others(points, farthest),
      comparison.source);
}

}  // namespace ringside
