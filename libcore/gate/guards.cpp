#include "gate/guards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "base/text.hpp"
#include "base/units.hpp"
#include "gate/floors.hpp"
#include "stats/order.hpp"

namespace ringside {
namespace {

constexpr std::size_t kEnough = 20;       // samples of a launch that can show a shape
constexpr double kClockDrift = 0.02;      // of the SM clock
constexpr double kClusterGap = 3;         // deviations within a cluster that clusters are apart
constexpr double kTrend = 0.5;            // rank correlation of a time with its place in the launch
constexpr std::size_t kClusterShare = 4;  // the smaller cluster has 1 in 4 of the samples at least

double middle_clock(const ClockRecord& clocks) {
  return (clocks.sm_mhz_min + clocks.sm_mhz_max) / 2.0;
}

double absolute_deviation(std::span<const double> sorted) {
  const double middle = quantile_sorted(sorted, 0.5);
  std::vector<double> deviations;
  for (const double value : sorted) deviations.push_back(std::abs(value - middle));
  return median(deviations);
}

// Two clusters with more than the threshold between them, as a share of the lower one.
bool bimodal(const std::vector<double>& samples, double threshold) {
  std::vector<double> sorted = samples;
  std::ranges::sort(sorted);
  std::size_t cut = 0;
  double widest = 0;
  for (std::size_t i = sorted.size() / kClusterShare; i <= sorted.size() - sorted.size() / kClusterShare;
       ++i) {
    if (sorted[i] - sorted[i - 1] <= widest) continue;
    widest = sorted[i] - sorted[i - 1];
    cut = i;
  }
  if (cut == 0 || widest <= threshold * sorted[cut - 1]) return false;
  const std::span<const double> all(sorted);
  return widest >
         kClusterGap * std::max(absolute_deviation(all.first(cut)), absolute_deviation(all.subspan(cut)));
}

// Spearman's correlation of the samples with their order; ties take what the sort gives them.
double order_correlation(const std::vector<double>& samples) {
  std::vector<std::size_t> order(samples.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return samples[i]; });
  double squares = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank)
    squares += std::pow(static_cast<double>(rank) - static_cast<double>(order[rank]), 2);
  const auto n = static_cast<double>(samples.size());
  return 1 - 6 * squares / (n * (n * n - 1));
}

// The last third differs from the first one by more than the threshold, and the way there is steady.
bool drifts(const std::vector<double>& samples, double threshold) {
  const std::span<const double> all(samples);
  const std::size_t third = samples.size() / 3;
  const double shift = median(all.last(third)) / median(all.first(third));
  return std::max(shift, 1 / shift) > 1 + threshold && std::abs(order_correlation(samples)) > kTrend;
}

// Whether most launches with enough samples have the shape: a single one moves the medians' middle little.
template <typename Shape>
bool most(const Row& row, Shape shape) {
  std::size_t having = 0;
  for (const LaunchSamples& launch : row.launches) {
    const auto& samples = launch.samples_ns;
    const bool times =
        std::ranges::all_of(samples, [](double time) { return std::isfinite(time) && time > 0; });
    if (samples.size() >= kEnough && times && shape(samples)) ++having;
  }
  return 2 * having > row.launches.size();
}

std::string shape_issue(const Row& row, const char* side, double threshold) {
  if (row.clocks && !row.clocks->held_by.empty())
    return fmt::format("clocks were held down in the {}: {}", side, join(row.clocks->held_by, ", "));
  if (most(row, [&](const auto& samples) { return drifts(samples, threshold); }))
    return fmt::format("times drift within the launches of the {}", side);
  if (most(row, [&](const auto& samples) { return bimodal(samples, threshold); }))
    return fmt::format("samples of the {} fall into two clusters", side);
  return "";
}

std::string in_us(double time_ns) {
  return format_three_digits(time_ns / 1e3);
}

std::string moved_within(const std::vector<double>& floors, const char* side) {
  const std::optional<Interval> moved = moved_floors(floors);
  if (!moved) return "";
  return fmt::format("the link itself changed between the launches of the {}: {} to {} us at best", side,
                     in_us(moved->low), in_us(moved->high));
}

std::string floor_issue(const Row& base, const Row& now) {
  std::vector<double> before = sorted_floors(base);
  std::vector<double> after = sorted_floors(now);
  if (before.empty() || after.empty()) {  // only the least of both can be compared
    if (!(base.floor_ns.value_or(0) > 0 && now.floor_ns.value_or(0) > 0)) return "";
    before = {*base.floor_ns};
    after = {*now.floor_ns};
  }
  if (std::string moved = moved_within(before, "base"); !moved.empty()) return moved;
  if (std::string moved = moved_within(after, "new result"); !moved.empty()) return moved;
  const double was = quantile_sorted(before, 0.5);
  const double is = quantile_sorted(after, 0.5);
  if (!floors_differ(was, is)) return "";
  return fmt::format("the link itself differs: {} us at best in the base, {} us now", in_us(was), in_us(is));
}

bool shared_gpu(const Document& document) {
  return std::ranges::any_of(document.machine.facts,
                             [](const auto& fact) { return fact.first.ends_with("_other_processes"); });
}

}  // namespace

double shift_that_matters(const ComparisonStage& stage, double threshold) {
  if (!stage.ratio) return threshold;
  return std::max(threshold, (std::max(*stage.ratio, 1 / *stage.ratio) - 1) / 2);
}

std::string quality_issue(const Row& base, const Row& now, double matters, Sides sides) {
  // Results from before inputs were recorded were measured warm, but for those of GPUs that asked for cold
  // ones.
  const InputState old = base.input.value_or(InputState::warm);
  const InputState fresh = now.input.value_or(InputState::warm);
  if (old != fresh)
    return fmt::format("{} inputs in the base, {} ones now", to_string(old), to_string(fresh));
  if (std::string reason = shape_issue(base, "base", matters); !reason.empty()) return reason;
  if (std::string reason = shape_issue(now, "new result", matters); !reason.empty()) return reason;
  if (sides == Sides::apart) {
    if (std::string reason = floor_issue(base, now); !reason.empty()) return reason;
  }
  if (!base.clocks || !now.clocks) return "";
  const double drift = middle_clock(*now.clocks) / middle_clock(*base.clocks);
  if (!(std::abs(drift - 1) > kClockDrift)) return "";
  return fmt::format("SM clocks differ: {:.0f} MHz in the base, {:.0f} MHz now", middle_clock(*base.clocks),
                     middle_clock(*now.clocks));
}

std::string quality_issue(const Document& base, const Document& now) {
  if (shared_gpu(base)) return "another process was on a GPU in the base";
  if (shared_gpu(now)) return "another process was on a GPU in the new result";
  return "";
}

}  // namespace ringside
