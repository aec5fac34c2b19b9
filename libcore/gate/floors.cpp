#include "gate/floors.hpp"

#include <algorithm>

#include "stats/order.hpp"

namespace ringside {
namespace {

constexpr double kDrift = 0.75;

}  // namespace

std::vector<double> sorted_floors(const Row& row) {
  std::vector<double> floors;
  for (const LaunchSamples& launch : row.launches) {
    if (launch.floor_ns && *launch.floor_ns > 0) floors.push_back(*launch.floor_ns);
  }
  std::ranges::sort(floors);
  return floors;
}

std::optional<double> typical_floor(const Row& row) {
  const std::vector<double> floors = sorted_floors(row);
  if (floors.empty()) return row.floor_ns && *row.floor_ns > 0 ? row.floor_ns : std::nullopt;
  return quantile_sorted(floors, 0.5);
}

std::optional<Interval> moved_floors(const std::vector<double>& sorted_floors) {
  if (sorted_floors.size() < 4) return std::nullopt;
  const std::size_t aside = std::max<std::size_t>(1, sorted_floors.size() / 5);
  const Interval rest{sorted_floors[aside], sorted_floors[sorted_floors.size() - 1 - aside]};
  if (!floors_differ(rest.low, rest.high)) return std::nullopt;
  return rest;
}

bool floors_differ(double one_ns, double other_ns) {
  return std::max(one_ns, other_ns) > (1 + kDrift) * std::min(one_ns, other_ns);
}

}  // namespace ringside
