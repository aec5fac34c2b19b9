#include "base/environment.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace ringside {
namespace {

// A result is meant to be shared, so this is a list of what is let through, not of what is held back.
constexpr std::string_view kPrefixes[] = {"NCCL_", "CUDA_"};
constexpr std::string_view kNames[] = {
    "GLIBC_TUNABLES",   "GOMP_CPU_AFFINITY",      "KMP_AFFINITY",    "LD_LIBRARY_PATH", "LD_PRELOAD",
    "MALLOC_ARENA_MAX", "NVIDIA_VISIBLE_DEVICES", "OMP_NUM_THREADS", "OMP_PROC_BIND",
};
constexpr std::size_t kLongestValue = 1000;

bool is_recorded(std::string_view name) {
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames) ||
         std::any_of(std::begin(kPrefixes), std::end(kPrefixes),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view{} : std::string_view{value};
}

bool is_set(const char* name) {
  return variable(name) == "true" || variable(name) == "1";
}

std::string_view locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    if (!variable(name).empty()) return variable(name);
  }
  return "";
}

bool names_utf8(std::string_view locale) {
  for (const char* name : {"UTF-8", "utf-8", "UTF8", "utf8"}) {
    if (locale.find(name) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

ToolEnvironment read_tool_environment() {
  return {.no_color = !variable("NO_COLOR").empty(),
          .dumb_terminal = variable("TERM") == "dumb",
          .ci = is_set("CI") || is_set("GITHUB_ACTIONS"),
          .github_actions = is_set("GITHUB_ACTIONS"),
          .utf8 = names_utf8(locale()),
          .profiled = !variable("NSYS_PROFILING_SESSION_ID").empty(),
          .github_step_summary = std::string(variable("GITHUB_STEP_SUMMARY"))};
}

std::vector<std::pair<std::string, std::string>> recorded_environment(const char* const* environment,
                                                                      Withheld& withheld) {
  std::vector<std::pair<std::string, std::string>> recorded;
  for (; *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos || !is_recorded(entry.substr(0, equals))) continue;
    const std::string_view name = entry.substr(0, equals);
    if (names_secret(name)) {  // plug-ins read variables of their own under the library's prefix
      withheld.add(name);
      continue;
    }
    std::string value = mask_text(entry.substr(equals + 1), withheld);
    value.resize(std::min(value.size(), kLongestValue));
    recorded.emplace_back(name, std::move(value));
  }
  std::sort(recorded.begin(), recorded.end());
  return recorded;
}

}  // namespace ringside
