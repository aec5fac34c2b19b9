#include "report/views/headline.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "report/views/blocks.hpp"

namespace ringside {
namespace {

// The different values that `name` finds in the rows, in their order: "bf16/fp32".
template <typename Name>
std::string distinct(const Document& document, Name name) {
  std::vector<std::string> values;
  for (const Row& row : document.rows) {
    const std::string value(name(row));
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  }
  return join(values, "/");
}

std::string cases(const Document& document) {
  const auto part = [&](auto name) { return distinct(document, name); };
  return fmt::format("{} on {}, {} ranks, {}, {}",
                     part([](const Row& row) { return to_string(row.params.collective); }),
                     part([](const Row& row) { return to_string(row.params.device); }),
                     part([](const Row& row) { return fmt::format("{}", row.params.ranks); }),
                     part([](const Row& row) { return to_string(row.params.dtype); }),
                     part([](const Row& row) { return to_string(row.params.mode); }));
}

std::string repetitions(const Method& method) {
  std::string text = method.launches == method.launches_wanted
                         ? fmt::format("{}", method.launches)
                         : fmt::format("{} of {}", method.launches, method.launches_wanted);
  if (method.launches == 0) text = fmt::format("a part of the first of {}", method.launches_wanted);
  text += method.launches_wanted == 1 ? " launch x " : " launches x ";
  text += method.rounds_min == method.rounds_max
              ? fmt::format("{}", method.rounds_max)
              : fmt::format("{} to {}", method.rounds_min, method.rounds_max);
  return text + (method.rounds_max == 1 ? " round" : " rounds");
}

std::string seconds(double value) {
  return fmt::format("{:.{}f} s", value, value < 10 ? 1 : 0);
}

std::string ending(const Method& method) {
  std::string spent = seconds(method.elapsed_s);
  if (method.budget_s > 0) spent += " of " + seconds(method.budget_s);
  if (method.stop_reason == "interval") return spent + ", ended when all intervals were narrow";
  if (method.stop_reason == "budget") {
    const bool spent_up = method.elapsed_s > 0.9 * method.budget_s;
    return spent + (spent_up ? ", ended by the time budget" : ", some sizes ended by their share of it");
  }
  if (method.stop_reason == "rounds") return spent + ", ended at the limit of rounds";
  return method.stop_reason.empty() ? spent : spent + ", " + method.stop_reason;
}

// Where the numbers come from, when not all of them were measured.
std::string origins(const Document& document) {
  std::vector<std::string> others;
  bool measured = false;
  for (const Row& row : document.rows) {
    if (!has_result(&row)) continue;
    const std::string origin(to_string(row.origin));
    if (row.origin == Origin::measured) {
      measured = true;
    } else if (std::ranges::find(others, origin) == others.end()) {
      others.push_back(origin);
    }
  }
  if (others.empty()) return "";
  return fmt::format("{}{} (~), not measured", measured ? "partly " : "", join(others, ", "));
}

}  // namespace

std::string incomplete_line(const Document& document) {
  if (document.complete) return "";
  const auto timed = std::ranges::count_if(document.rows, [](const Row& row) { return has_result(&row); });
  const bool interrupted = document.method && document.method->stop_reason == "interrupted";
  if (document.comparison)
    return fmt::format("not all that was asked for was measured: {} of {} cases have a new time", timed,
                       document.rows.size());
  const char* const why = interrupted                 ? "interrupted"
                          : ended_by_budget(document) ? "ended by the time budget"
                                                      : "the run did not end";
  return fmt::format("{}: {} of {} cases have a time", why, timed, document.rows.size());
}

bool ended_by_budget(const Document& document) {
  return document.method && document.method->stop_reason == "budget";
}

std::string tool_line(const Document& document) {
  const ToolInfo& tool = document.tool;
  std::vector<std::string> parts = {fmt::format("ringside {} ({})", tool.version, tool.commit)};
  for (const std::string& part : {tool.compiler, tool.build_type}) {
    if (!part.empty()) parts.push_back(part);
  }
  parts.push_back(tool.cuda_version.empty() ? "without CUDA" : "CUDA " + tool.cuda_version);
  if (!tool.sanitizers.empty())
    parts.push_back("sanitizers " + tool.sanitizers + ": slower than a normal build");
  return join(parts, ", ");
}

std::string fit_line(const Document& document) {
  if (!document.request || document.request->device != DeviceKind::model) return "";
  const auto fit =
      std::ranges::find(document.machine.facts, "fit", [](const auto& fact) { return fact.first; });
  return fit == document.machine.facts.end() ? "" : fit->second;
}

std::string method_line(const Document& document) {
  std::vector<std::string> parts;
  if (!document.rows.empty()) parts.push_back(cases(document));
  if (document.method) {
    if (document.method->launches_wanted > 0) {
      parts.push_back(fmt::format("{}, seed {}", repetitions(*document.method), document.method->seed));
      parts.push_back(ending(*document.method));
    }
    if (!document.method->verification.empty()) parts.push_back(document.method->verification);
  }
  if (const std::string origin = origins(document); !origin.empty()) parts.push_back(origin);
  return join(parts, "; ");
}

}  // namespace ringside
