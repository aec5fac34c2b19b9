#include "spec/estimate/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/errors.hpp"
#include "machine/published.hpp"
#include "spec/estimate/gpu_prior.hpp"

namespace ringside {
namespace {

const PublishedTables& server_tables() {
  static const PublishedTables tables = read_published_tables(find_scenario("compute", "allreduce"));
  return tables;
}

const PublishedTable* find_table(const PublishedTables& tables, const std::string& gpu, int ranks,
                                 std::string_view library) {
  const auto table = std::ranges::find_if(tables.tables, [&](const PublishedTable& candidate) {
    return candidate.gpu == gpu && candidate.gpus == ranks && candidate.library == library;
  });
  return table == tables.tables.end() ? nullptr : &*table;
}

CollectiveTimes from_table(const PublishedTable& table, const PublishedTables& tables, double scale,
                           double factor) {
  std::map<double, double> us;
  double bytes = static_cast<double>(table.first.count);
  for (const double ns : table.times_ns) {
    us[bytes] = ns / 1e3 * scale;
    bytes *= 2;
  }
  return collective_times(std::move(us), Origin::reported,
                          fmt::format("{} {} on {} x {} ({}, {})", table.library, table.version, table.gpus,
                                      table.gpu, tables.source, tables.date),
                          factor);
}

}  // namespace

CollectiveTimes collective_times(std::map<double, double> us, Origin origin, std::string source,
                                 double factor) {
  if (us.empty()) throw UsageError("times of a collective need one size at least");
  struct Point {
    double log_bytes;
    double log_us;
  };
  std::vector<Point> points;
  for (const auto& [bytes, time] : us) {
    if (!(bytes > 0) || !(time > 0)) throw UsageError("sizes and times of a collective must be above 0");
    points.push_back({std::log(bytes), std::log(time)});
  }
  CollectiveTimes times;
  times.origin = origin;
  times.source = std::move(source);
  times.factor = factor;
  times.at_us = [points = std::move(points)](double bytes) {
    const double place = std::log(std::max(bytes, 1.0));
    if (place <= points.front().log_bytes) return std::exp(points.front().log_us);
    auto upper = std::ranges::upper_bound(points, place, {}, &Point::log_bytes);
    if (points.size() == 1) return std::exp(points[0].log_us);
    if (upper == points.end()) --upper;
    const auto lower = upper - 1;
    double slope = (upper->log_us - lower->log_us) / (upper->log_bytes - lower->log_bytes);
    if (place > upper->log_bytes) slope = std::clamp(slope, 0.5, 1.0);
    return std::exp(lower->log_us + slope * (place - lower->log_bytes));
  };
  return times;
}

// A server's own kernels where they are recorded; else NCCL's, whose small messages such kernels beat.
CollectiveTimes published_allreduce(std::string_view gpu, int ranks) {
  const GpuPrior* const prior = gpu_priors().find(gpu);
  if (prior == nullptr || ranks <= 1) return {};
  if (const PublishedTable* table = find_table(server_tables(), prior->gpu, ranks, "SGLang")) {
    CollectiveTimes times = from_table(*table, server_tables(), 1, 1.3);
    // Over PCIe small messages take longer than this, and servers are wired differently.
    constexpr double kPcieUs = 10;
    constexpr double kPcieFactor = 1.6;
    if (times.at_us(4096) > kPcieUs) times.factor = kPcieFactor;
    return times;
  }
  if (const PublishedTable* table = find_table(published_tables(), prior->gpu, ranks, "NCCL"))
    return from_table(*table, published_tables(), 0.75, 1.6);
  // More GPUs than any table has: the largest one's times, wider.
  for (int fewer = 8; fewer >= 2; fewer /= 2) {
    if (fewer >= ranks) continue;
    if (const PublishedTable* table = find_table(server_tables(), prior->gpu, fewer, "SGLang"))
      return from_table(*table, server_tables(), 1.5, 2);
  }
  return {};
}

std::string_view to_string(ServerKind kind) {
  switch (kind) {
    case ServerKind::vllm:
      return "vLLM";
    case ServerKind::sglang:
      return "SGLang";
    case ServerKind::trtllm:
      return "TensorRT-LLM";
    case ServerKind::unknown:
      break;
  }
  return "unknown server";
}

std::string_view table_key(ServerKind kind) {
  switch (kind) {
    case ServerKind::vllm:
      return "vllm";
    case ServerKind::sglang:
      return "sglang";
    case ServerKind::trtllm:
      return "trtllm";
    case ServerKind::unknown:
      break;
  }
  return "unknown";
}

std::string_view to_string(SoftwareAge age) {
  switch (age) {
    case SoftwareAge::half1_2025:
      return "2025 H1";
    case SoftwareAge::half2_2025:
      return "2025 H2";
    case SoftwareAge::half1_2026:
      return "2026 H1";
    case SoftwareAge::half2_2026:
      return "2026 H2";
    case SoftwareAge::unknown:
      break;
  }
  return "unknown age";
}

}  // namespace ringside
