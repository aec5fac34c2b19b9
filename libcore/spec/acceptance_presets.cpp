#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/errors.hpp"
#include "scenario/toml_reader.hpp"
#include "spec/acceptance.hpp"

namespace ringside {
namespace {

struct Curve {
  std::string name;
  bool thinking = true;
  std::vector<double> lengths;
};

struct Curves {
  std::string source;
  std::vector<Curve> all;
};

Curves read_curves() {
  const TomlDocument document(find_scenario("acceptance", "golden"));
  const TomlTable root = document.root();
  Curves curves;
  root.get<std::string>("license");
  curves.source = fmt::format("{}, {}", root.get<std::string>("source"), root.get<std::string>("date"));
  for (const TomlTable& text : root.tables("curve")) {
    text.get<std::string>("model");
    text.get<std::string>("file");
    curves.all.push_back({text.get<std::string>("name"), text.get<bool>("thinking"),
                          text.get<std::vector<double>>("lengths", {1, 64})});
  }
  document.finish();
  return curves;
}

const Curves& curves() {
  static const Curves known = read_curves();
  return known;
}

}  // namespace

Acceptance Acceptance::preset(std::string_view name) {
  constexpr std::string_view kPrefix = "golden:";
  if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
  bool thinking = true;
  const std::size_t colon = name.find(':');
  if (colon != std::string_view::npos) {
    const std::string_view mode = name.substr(colon + 1);
    if (mode != "on" && mode != "off")
      throw UsageError(fmt::format("'{}' is no mode of a published curve: on (with thinking) or off", mode));
    thinking = mode == "on";
    name = name.substr(0, colon);
  }
  for (const Curve& curve : curves().all) {
    if (curve.name != name || curve.thinking != thinking) continue;
    Acceptance acceptance = from_lengths(curve.lengths);
    acceptance.prior_ = true;
    acceptance.source_ = fmt::format("published: {}, {} thinking, coding prompts on B300 ({})", curve.name,
                                     thinking ? "with" : "without", curves().source);
    return acceptance;
  }
  throw UsageError(fmt::format("no published acceptance curve '{}{}': {}", name, thinking ? "" : ":off",
                               fmt::join(preset_names(), ", ")));
}

std::vector<std::string> Acceptance::preset_names() {
  std::vector<std::string> names;
  for (const Curve& curve : curves().all) names.push_back(curve.name + (curve.thinking ? "" : ":off"));
  return names;
}

}  // namespace ringside
