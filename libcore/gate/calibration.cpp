#include "gate/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/errors.hpp"
#include "gate/cases.hpp"
#include "gate/fingerprint_match.hpp"
#include "gate/look.hpp"
#include "scenario/toml_reader.hpp"
#include "stats/scatter.hpp"

namespace ringside {
namespace {

constexpr std::size_t kFewestLaunches = 6;
constexpr double kShare = 0.99;

// A basic string of TOML.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      result += c;
    }
  }
  return result + '"';
}

}  // namespace

std::optional<double> Calibration::threshold(const std::string& key, std::size_t launches_of_side) const {
  const auto found = ratio99.find(key);
  if (found == ratio99.end() || launches_of_side == 0) return std::nullopt;
  return found->second * std::sqrt(std::max(1.0, launches / static_cast<double>(launches_of_side)));
}

Calibration calibrate(const Document& document) {
  Calibration calibration;
  calibration.measured = document.started;
  calibration.machine.name = document.machine.name;
  for (const auto& fact : document.machine.facts) {
    if (identifies(fact.first)) calibration.machine.facts.push_back(fact);
  }
  for (const Row& row : document.rows) {
    const std::vector<double> medians = launch_medians(row);
    if (row.status != Status::pass || medians.size() < kFewestLaunches) continue;
    const int launches = static_cast<int>(medians.size() / 2);
    calibration.launches = calibration.launches == 0 ? launches : std::min(calibration.launches, launches);
    calibration.ratio99[case_key(row.params)] = halving_scatter(medians, kShare);
  }
  if (calibration.ratio99.empty()) {
    throw EnvironmentError(fmt::format(
        "nothing to calibrate: no case has {} launches; allow more time with --budget", kFewestLaunches));
  }
  return calibration;
}

Calibration read_calibration(const ScenarioText& text) {
  const TomlDocument document(text);
  const TomlTable root = document.root();
  Calibration calibration;
  calibration.origin = text.origin;
  calibration.measured = root.get<std::string>("measured");
  calibration.launches = root.get<int>("launches", {1, 1000});
  calibration.machine.name = root.get<std::string>("machine");
  const TomlTable facts = root.table("facts");
  for (const std::string& fact : facts.keys())
    calibration.machine.facts.emplace_back(fact, facts.get<std::string>(fact));
  for (const TomlTable& row : root.tables("case"))
    calibration.ratio99[row.get<std::string>("case")] = row.get<double>("ratio99", {0, 1e9});
  document.finish();
  return calibration;
}

std::string to_toml(const Calibration& calibration) {
  std::string text =
      fmt::format("measured = {}\nlaunches = {}\nmachine = {}\n\n[facts]\n", quoted(calibration.measured),
                  calibration.launches, quoted(calibration.machine.name));
  for (const auto& [fact, value] : calibration.machine.facts)
    text += fmt::format("{} = {}\n", quoted(fact), quoted(value));
  for (const auto& [key, ratio99] : calibration.ratio99)
    text += fmt::format("\n[[case]]\ncase = {}\nratio99 = {:.6f}\n", quoted(key), ratio99);
  return text;
}

}  // namespace ringside
