#include "strategy/custom_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/digest.hpp"
#include "base/errors.hpp"
#include "base/text.hpp"
#include "scenario/toml_reader.hpp"

namespace ringside {
namespace {

// Whether both are choices of one course of sizes.
bool same_range(const CustomChoice& a, const CustomChoice& b) {
  return a.link == b.link && a.mode == b.mode && a.ranks == b.ranks;
}

void check_order(const TomlTable& table, const std::vector<CustomChoice>& choices) {
  const CustomChoice& latest = choices.back();
  for (std::size_t i = 0; i + 1 < choices.size(); ++i) {
    const CustomChoice& earlier = choices[i];
    if (!same_range(earlier, latest)) continue;
    if (earlier.up_to >= latest.up_to) throw table.error("up_to", "must grow from choice to choice");
  }
}

void check_ends(const TomlTable& root, const std::vector<CustomChoice>& choices) {
  for (const CustomChoice& choice : choices) {
    const bool ends = std::any_of(choices.begin(), choices.end(), [&](const CustomChoice& other) {
      return same_range(other, choice) && other.up_to == kNoLimit;
    });
    if (!ends) {
      throw root.error("choice", fmt::format("the last choice for {} ranks, mode {}, must have no up_to",
                                             choice.ranks, to_string(choice.mode)));
    }
  }
}

void check_candidate(const TomlTable& table, const std::string& name) {
  const std::vector<std::string> names(std::begin(kCustomCandidates), std::end(kCustomCandidates));
  if (std::ranges::count(names, name) > 0) return;
  throw table.error("strategy", fmt::format("'{}' is none that custom may use: {}", name, join(names, ", ")));
}

// Leaves the choices that fit, where some do.
template <typename Fits>
void keep_if_any(std::vector<const CustomChoice*>& choices, Fits fits) {
  const auto refuses = [&](const CustomChoice* choice) { return !fits(*choice); };
  if (!std::ranges::all_of(choices, refuses)) std::erase_if(choices, refuses);
}

// The number of ranks whose choices hold for `ranks`.
int nearest_ranks(const std::vector<const CustomChoice*>& choices, int ranks) {
  int larger = 0;
  int largest = 0;
  for (const CustomChoice* choice : choices) {
    largest = std::max(largest, choice->ranks);
    if (choice->ranks >= ranks && (larger == 0 || choice->ranks < larger)) larger = choice->ranks;
  }
  return larger != 0 ? larger : largest;
}

Bytes between(Bytes lower, Bytes upper) {
  return {static_cast<std::uint64_t>(
      std::sqrt(static_cast<double>(lower.count) * static_cast<double>(upper.count)))};
}

}  // namespace

CustomTable read_custom_table(const ScenarioText& text) {
  const TomlDocument document(text);
  const TomlTable root = document.root();
  CustomTable table;
  table.origin = text.origin;
  table.digest = text_digest(text.text);
  table.measured = root.get<std::string>("measured");
  table.gpus = root.find<std::vector<std::string>>("gpus").value_or(std::vector<std::string>{});
  for (const TomlTable& row : root.tables("choice")) {
    CustomChoice choice;
    row.get<std::string>("mode");
    choice.mode = *row.find_name("mode", parse_mode);
    choice.link = row.find_name("link", parse_peer_access);
    choice.ranks = row.get<int>("ranks", {2, 1024});
    choice.up_to = row.find<Bytes>("up_to").value_or(kNoLimit);
    choice.strategy = row.get<std::string>("strategy");
    check_candidate(row, choice.strategy);
    table.choices.push_back(choice);
    check_order(row, table.choices);
  }
  if (table.choices.empty()) throw root.error("choice", "is missing: a table needs at least one");
  check_ends(root, table.choices);
  document.finish();
  return table;
}

std::string to_toml(const CustomTable& table) {
  std::string text = fmt::format("measured = \"{}\"\n", table.measured);
  std::string gpus;
  for (const std::string& gpu : table.gpus) gpus += fmt::format("{}\"{}\"", gpus.empty() ? "" : ", ", gpu);
  if (!gpus.empty()) text += fmt::format("gpus = [{}]\n", gpus);
  for (const CustomChoice& choice : table.choices) {
    text += "\n[[choice]]\n";
    if (choice.link) text += fmt::format("link = \"{}\"\n", to_string(*choice.link));
    text += fmt::format("mode = \"{}\"\nranks = {}\n", to_string(choice.mode), choice.ranks);
    if (choice.up_to != kNoLimit) text += fmt::format("up_to = {}\n", choice.up_to.count);
    text += fmt::format("strategy = \"{}\"\n", choice.strategy);
  }
  return text;
}

const std::string& choose_custom(const CustomTable& table, PeerAccess link, Mode mode, int ranks,
                                 Bytes bytes) {
  std::vector<const CustomChoice*> choices;
  for (const CustomChoice& choice : table.choices) choices.push_back(&choice);
  keep_if_any(choices, [&](const CustomChoice& choice) { return !choice.link || choice.link == link; });
  keep_if_any(choices, [&](const CustomChoice& choice) { return choice.mode == mode; });
  const int nearest = nearest_ranks(choices, ranks);
  for (const CustomChoice* choice : choices) {
    if (choice->ranks == nearest && bytes <= choice->up_to) return choice->strategy;
  }
  throw InternalError("a table of custom strategies has an end");
}

std::vector<CustomChoice> choices_from(Mode mode, int ranks, const std::vector<FastestAt>& fastest) {
  std::vector<CustomChoice> choices;
  for (std::size_t i = 0; i < fastest.size(); ++i) {
    const bool last = i + 1 == fastest.size();
    if (!last && fastest[i + 1].strategy == fastest[i].strategy) continue;
    choices.push_back({std::nullopt, mode, ranks,
                       last ? kNoLimit : between(fastest[i].bytes, fastest[i + 1].bytes),
                       fastest[i].strategy});
  }
  return choices;
}

}  // namespace ringside
