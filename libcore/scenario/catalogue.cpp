#include "scenario/catalogue.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/errors.hpp"
#include "base/fd.hpp"
#include "base/text.hpp"
#include "base/units.hpp"
#include "scenario/toml_parse.hpp"

namespace ringside {
namespace {

constexpr std::string_view kExtension = ".toml";

// "machines/h200.toml" -> "h200"
std::string stem(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);  // npos + 1 is 0
  if (path.ends_with(kExtension)) path.remove_suffix(kExtension.size());
  return std::string(path);
}

// Never reads more than the limit: the name may be a device that has no end.
std::string read_file(const std::string& path) {
  const auto fail = [&](int number) {
    return UsageError(fmt::format("cannot read scenario '{}': {}", path, std::strerror(number)));
  };
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (!file) throw fail(errno);
  std::string text;
  char buffer[16384];
  for (;;) {
    const ssize_t got = ::read(file.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw fail(errno);
    if (got == 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
    if (text.size() > kMaxTomlBytes) {
      throw UsageError(fmt::format("cannot read scenario '{}': it is larger than {}", path,
                                   format_bytes({kMaxTomlBytes})));
    }
  }
}

}  // namespace

bool names_file(const std::string& name) {
  return name.find('/') != std::string::npos || name.ends_with(kExtension);
}

ScenarioText find_scenario(std::string_view folder, const std::string& name) {
  if (names_file(name)) {
    return {.name = stem(name), .origin = name, .text = read_file(name)};
  }
  std::vector<std::string> names;
  for (ScenarioText& scenario : list_scenarios(folder)) {
    if (scenario.name == name) return std::move(scenario);
    names.push_back(scenario.name);
  }
  const std::string_view kind = folder == "machines" ? "machine" : "scenario";  // what users call it
  throw UsageError(
      fmt::format("unknown {} '{}'{}; {} in this binary: {} (a file's name ends in {} or holds a '/')", kind,
                  name, did_you_mean(name, names), folder, join(names, ", "), kExtension));
}

std::vector<ScenarioText> list_scenarios(std::string_view folder) {
  std::vector<ScenarioText> scenarios;
  for (const EmbeddedScenario& scenario : embedded_scenarios()) {
    if (scenario.path.substr(0, scenario.path.find('/')) != folder) continue;
    scenarios.push_back({stem(scenario.path), std::string(scenario.path), std::string(scenario.text)});
  }
  return scenarios;
}

}  // namespace ringside
