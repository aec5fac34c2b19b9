#include "report/views/row_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/text.hpp"
#include "report/views/blocks.hpp"
#include "report/views/finding_index.hpp"
#include "report/views/first_calls.hpp"
#include "stats/order.hpp"

namespace ringside {
namespace {

constexpr std::array kLeft = {"strategy", "size", "dtype", "mode", "status"};
constexpr std::array kRight = {"median us",  "95 % from", "to",         "min",           "p90",
                               "p99",        "samples",   "launches",   "first call us", "algbw GB/s",
                               "busbw GB/s", "floor us",  "node gap us"};
constexpr std::array kLast = {"asked", "ran", "chosen by", "why"};

std::string number(std::optional<double> value, double unit = 1) {
  return value && std::isfinite(*value) ? format_three_digits(*value / unit) : "";
}

std::string bound(const Row& row, double Interval::*which) {
  return row.time && row.time->interval95_ns ? number((*row.time->interval95_ns).*which, 1e3) : "";
}

std::string first_call(const Row& row) {
  std::vector<double> calls;
  for (const LaunchSamples& launch : row.launches) {
    if (launch.first_call_ns && std::isfinite(*launch.first_call_ns)) calls.push_back(*launch.first_call_ns);
  }
  return calls.empty() ? "" : number(median(calls), 1e3);
}

// No part of the floor.
std::string node_gap(const Document& document, const Row& row) {
  const auto link = std::ranges::find(document.links, row.params.bytes, &LinkMeasurement::bytes);
  return link == document.links.end() || row.params.mode != Mode::graph ? "" : number(link->node_gap_ns, 1e3);
}

}  // namespace

TitledGrid row_table(const Document& document) {
  const FindingIndex findings(document);
  GridLines lines;
  for (const char* name : kLeft) lines.add({name}, Align::left);
  for (const char* name : kRight) lines.add({name});
  for (const char* name : kLast) lines.add({name}, Align::left);
  for (const Row& row : document.rows) {
    const Finding* reason = findings.reason(row);
    const auto& time = row.time;
    lines.line({entry_name(row.params),
                format_size(row.params.bytes),
                std::string(to_string(row.params.dtype)),
                std::string(to_string(row.params.mode)),
                std::string(to_string(row.status)),
                time ? number(time->median_ns, 1e3) : "",
                bound(row, &Interval::low),
                bound(row, &Interval::high),
                time ? number(time->min_ns, 1e3) : "",
                time ? number(time->p90_ns, 1e3) : "",
                time ? number(time->p99_ns, 1e3) : "",
                time ? std::to_string(time->samples) : "",
                std::to_string(launch_count(row)),
                first_call(row),
                number(row.algbw_gbps),
                number(row.busbw_gbps),
                number(row.floor_ns, 1e3),
                node_gap(document, row),
                row.asked.value_or(""),
                row.ran.value_or(""),
                row.chosen_by.value_or(""),
                reason == nullptr ? "" : reason->message});
  }
  return {.title = "all cases", .columns = lines.take(), .whole = true};
}

void add_all_numbers(const Document& document, std::vector<Section>& sections) {
  if (!document.rows.empty())
    sections.push_back({"times", row_table(document),
                        fmt::format("all {} cases with all their numbers", document.rows.size())});
  if (TitledGrid grid = first_call_grid(document); !grid.empty())
    sections.push_back({"times", std::move(grid), "first calls"});
}

}  // namespace ringside
