// Decisions between NCCL's own algorithms and protocols.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/errors.hpp"
#include "base/text.hpp"
#include "report/export/decision.hpp"

namespace ringside {
namespace {

// An algorithm with its protocol, as NCCL reports them: "RING" and "LL".
struct Setting {
  std::string algorithm;
  std::string protocol;
  bool operator==(const Setting&) const = default;
};

// Nothing for what a tuner can't choose: symmetric kernels, and what was not read back.
std::optional<Setting> setting_of(const Row* row) {
  if (row == nullptr || !row->ran) return std::nullopt;
  const std::vector<std::string> parts = split(*row->ran, '/');
  const auto is_word = [](const std::string& word) {
    return !word.empty() &&
           std::ranges::all_of(word, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  };
  if (parts.size() != 2 || parts[0] == "SYMMETRIC" || !is_word(parts[0]) || !is_word(parts[1]))
    return std::nullopt;
  return Setting{parts[0], parts[1]};
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool is_nccl(const std::string& entry) {
  return entry.starts_with("nccl-");
}

// What is to be used at a size, and by how much it wins; without a margin it is what NCCL takes by itself.
struct Choice {
  Bytes bytes;
  std::optional<Setting> setting;
  std::optional<Margin> margin;
};

Choice choose(const DecisionBasis& basis, const SizeLine& line) {
  Choice best{line.bytes, setting_of(basis.block.row(line, basis.reference)), {}};
  for (const std::string& entry : basis.block.entries) {
    const std::optional<Setting> setting = setting_of(basis.block.row(line, entry));
    if (entry == basis.reference || !is_nccl(entry) || !setting) continue;
    const std::optional<Margin> won = margin(basis, line, entry);
    if (won && (!best.margin || won->ratio > best.margin->ratio)) best = {line.bytes, setting, won};
  }
  return best;
}

// Half way between two measured sizes, as sizes go: where one choice gives way to the next.
std::uint64_t border(Bytes a, Bytes b) {
  return static_cast<std::uint64_t>(std::sqrt(static_cast<double>(a.count)) *
                                    std::sqrt(static_cast<double>(b.count)));
}

std::string tuner_line(const Choice& choice, std::uint64_t from, std::uint64_t to, int ranks) {
  if (!choice.setting) return fmt::format("# {} to {}: what NCCL ran is not known; no line\n", from, to);
  const std::string why = choice.margin ? margin_text(*choice.margin) : "what NCCL takes by itself";
  return fmt::format("# {}: {}\nallreduce,{},{},{},{},-1,1,{},-1,-1\n", format_size(choice.bytes), why, from,
                     to, lower(choice.setting->algorithm), lower(choice.setting->protocol), ranks);
}

// A setting that is never worse than NCCL's own choice, with what it gains.
struct Overall {
  const std::string* entry = nullptr;
  std::size_t wins = 0;
  double gain = 0;  // sum of the logarithms of its margins
  Margin least{.ratio = HUGE_VAL, .least = HUGE_VAL};
};

Overall judge_entry(const DecisionBasis& basis, const std::string& entry) {
  Overall overall{.entry = &entry};
  for (const SizeLine& line : basis.block.lines) {
    const bool here = has_result(basis.block.row(line, entry));
    if (!here || loses(basis, line, entry)) return {};
    if (const auto won = margin(basis, line, entry)) {
      ++overall.wins;
      overall.gain += std::log(won->ratio);
      if (won->least < overall.least.least) overall.least = *won;
    }
  }
  return overall.wins > 0 ? overall : Overall{};
}

}  // namespace

// Ranges without a line are no default for NCCL's example plug-in: it would take one channel there. So what
// NCCL takes by itself is written down as well.
std::string nccl_tuner_csv(const DecisionBasis& basis) {
  const auto& lines = basis.block.lines;
  std::string text =
      validity(basis) +
      "# Load with NCCL_TUNER_PLUGIN and NCCL_TUNER_CONFIG_FILE; sizes that were not measured have no line.\n"
      "# collective,min bytes,max bytes,algorithm,protocol,channels,nodes,ranks,pipe ops,registered\n";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::uint64_t from = i == 0 ? lines[i].bytes.count : border(lines[i - 1].bytes, lines[i].bytes) + 1;
    const std::uint64_t to =
        i + 1 == lines.size() ? lines[i].bytes.count : border(lines[i].bytes, lines[i + 1].bytes);
    text += tuner_line(choose(basis, lines[i]), from, to, basis.block.ranks);
  }
  return text;
}

std::string nccl_environment(const DecisionBasis& basis) {
  Overall best;
  for (const std::string& entry : basis.block.entries) {
    if (entry == basis.reference || !is_nccl(entry)) continue;
    if (!setting_of(basis.block.row(basis.block.lines.front(), entry))) continue;
    const Overall overall = judge_entry(basis, entry);
    if (overall.entry != nullptr && overall.gain > best.gain) best = overall;
  }
  std::string text = validity(basis);
  if (best.entry == nullptr)
    return text +
           "# Set nothing: no single algorithm wins at a size and loses at none. A tuner can choose by size "
           "(--export nccl-tuner).\n";
  const Row& row = *basis.block.row(basis.block.lines.front(), *best.entry);
  const std::vector<std::string> asked = split(row.asked.value_or(*row.ran), '/');
  text += fmt::format("# {} wins at {} of {} sizes, by {} where it is closest, and loses at none.\n",
                      *best.entry, best.wins, basis.block.lines.size(), margin_text(best.least));
  text += fmt::format("NCCL_ALGO={}\n", asked[0]);
  return asked.size() > 1 ? text + fmt::format("NCCL_PROTO={}\n", asked[1]) : text;
}

}  // namespace ringside
