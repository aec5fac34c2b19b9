#include "plan_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/duration.hpp"
#include "base/text.hpp"
#include "report/render/wrap.hpp"
#include "sweep/time_shares.hpp"

namespace ringside {
namespace {

struct Line {
  std::string size;
  std::string kind;  // "bf16 eager"
  std::vector<std::string> strategies;
};

// Cases of the same message, dtype and mode share a line, in the order of the plan.
std::vector<Line> admitted_lines(const Plan& plan) {
  std::vector<Line> lines;
  for (const PlannedCase& planned : plan.cases) {
    if (planned.skipped) continue;
    const Case& params = planned.params;
    const std::string size = format_size(params.bytes);
    const std::string kind = fmt::format("{} {}", to_string(params.dtype), to_string(params.mode));
    auto line = std::find_if(lines.begin(), lines.end(),
                             [&](const Line& known) { return known.size == size && known.kind == kind; });
    if (line == lines.end()) line = lines.insert(lines.end(), {size, kind, {}});
    line->strategies.push_back(entry_name(params));
  }
  return lines;
}

std::string counted(std::ptrdiff_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string skipped_text(const Plan& plan, std::size_t width) {
  std::map<std::string, std::vector<std::string>> cases_by_reason;
  for (const PlannedCase& planned : plan.cases) {
    if (planned.skipped) cases_by_reason[planned.skipped->message].push_back(case_name(planned.params));
  }
  std::string text;
  for (const auto& [reason, cases] : cases_by_reason) {
    const std::string more = cases.size() > 1 ? fmt::format(" and {} more", cases.size() - 1) : "";
    text += wrap("  skipped: ", fmt::format("{}{}: {}", cases.front(), more, reason), width);
  }
  return text;
}

std::string in_seconds(std::chrono::nanoseconds time) {
  return format_duration(std::chrono::ceil<std::chrono::seconds>(time));
}

// What the budget will be spent on, by a guess: nothing was measured on this box.
std::string time_text(const Plan& plan, std::size_t width) {
  const SweepRequest& request = plan.request;
  const Forecast expected = forecast(plan);
  std::string text =
      fmt::format("time: about {} ({}, budget {})\n", format_duration(expected.time),
                  request.launches == 1 ? "1 launch" : fmt::format("{} launches", request.launches),
                  format_duration(request.budget));
  if (expected.left_out.empty()) {
    if (!request.firm_budget || expected.all_launches <= request.budget) return text;
    return text +
           wrap("  cut: ",
                fmt::format("all launches with the fewest rounds take about {}, by a guess; rounds, or "
                            "later launches of some sizes, are left out",
                            in_seconds(expected.all_launches)),
                width);
  }
  std::vector<std::string> names;
  for (const std::size_t group : expected.left_out) {
    const Case& params = plan.cases[plan.groups[group].cases.front()].params;
    names.push_back(
        fmt::format("{} {} {}", format_size(params.bytes), to_string(params.dtype), to_string(params.mode)));
  }
  return text + wrap("  left out: ",
                     fmt::format("{}, for want of time, by a guess; one launch of all takes about {}",
                                 join(names, ", "), in_seconds(expected.whole_budget)),
                     width);
}

}  // namespace

std::string plan_text(const Plan& plan, Bytes available_memory, std::size_t width) {
  const SweepRequest& request = plan.request;
  const std::vector<Line> lines = admitted_lines(plan);
  const auto admitted = std::count_if(plan.cases.begin(), plan.cases.end(),
                                      [](const PlannedCase& planned) { return !planned.skipped; });
  std::string text =
      fmt::format("{} on the {} device, {} ranks: {} in {}, seed {}\n", to_string(request.first().collective),
                  to_string(request.device), request.ranks, counted(admitted, "case"),
                  counted(static_cast<std::ptrdiff_t>(plan.groups.size()), "group"), request.seed);
  std::size_t size_width = 0;
  for (const Line& line : lines) size_width = std::max(size_width, line.size.size());
  for (const Line& line : lines) {
    text += wrap(fmt::format("  {}  {}  ", pad(line.size, size_width, true), line.kind),
                 join(line.strategies, ", "), width);
  }
  text += skipped_text(plan, width);
  if (request.device == DeviceKind::model) return text;
  if (request.device == DeviceKind::cuda) {
    text +=
        fmt::format("memory: {} on each of {} GPUs\n", format_bytes(device_memory_need(plan)), request.ranks);
  } else {
    const Bytes need = host_memory_need(plan);
    text += fmt::format("memory: {} for {} ranks, {} available{}\n", format_bytes(need), request.ranks,
                        format_bytes(available_memory),
                        need <= available_memory ? "" : ": not enough, this would not start");
  }
  return text + time_text(plan, width);
}

}  // namespace ringside
