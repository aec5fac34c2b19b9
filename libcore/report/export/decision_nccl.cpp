// Decisions between NCCL's own algorithms and protocols. What NCCL and its example plug-in do with them was
// read in their sources, 2.24.3 to 2.30.7.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "base/text.hpp"
#include "machine/versions.hpp"
#include "report/export/decision.hpp"
#include "report/export/machine_facts.hpp"

namespace ringside {
namespace {

// Those that the plug-in knows; any other word is a ring to it.
constexpr std::array kAlgorithms = {"tree", "ring", "collnet_direct", "collnet_chain", "nvls", "nvls_tree"};
constexpr std::array kProtocols = {"ll", "ll128", "simple"};
// Since then NCCL_ALGO and NCCL_PROTO can be set for one collective. Before, they hold for all of them.
constexpr int kFirstByCollective = 22400;
// Takes plug-ins with version 5 of the interface, as the examples of 2.30.3 and later have it.
constexpr int kFirstSafePlugin = 22800;

// An algorithm with its protocol in the plug-in's words: "ring" and "ll".
struct Setting {
  std::string algorithm;
  std::string protocol;
};

// Nothing for what a tuner can't choose: symmetric kernels, what a row sets for NCCL as a whole, launches
// that differ, and what was not read back.
std::optional<Setting> setting_of(const Row* row) {
  if (row == nullptr || !row->ran || row->setting) return std::nullopt;
  const std::vector<std::string> parts = split(lower_case(*row->ran), '/');
  if (parts.size() != 2 || std::ranges::count(kAlgorithms, parts[0]) == 0 ||
      std::ranges::count(kProtocols, parts[1]) == 0)
    return std::nullopt;
  return Setting{parts[0], parts[1]};
}

// NCCL takes LL128 by itself between GPUs of one kind with NVLink, from compute capability 7.0 on. Elsewhere
// it relies on what nobody promises, and to the plug-in it isn't there.
bool has_ll128(const MachineFacts& facts) {
  return facts.link == PairLink::nvlink && facts.compute_capability.value_or(0) >= 70;
}

bool is_nccl(const std::string& entry) {
  return entry.starts_with("nccl-");
}

// What is to be used at a size; without a margin it is what NCCL takes by itself.
struct Choice {
  Bytes bytes;
  const Row* row = nullptr;
  std::optional<Margin> margin;

  bool complete() const { return setting_of(row).has_value() && row->channels.has_value(); }
};

Choice choose(const DecisionBasis& basis, const SizeLine& line) {
  Choice best{line.bytes, basis.block.row(line, basis.reference), {}};
  const MachineFacts facts = machine_facts(basis);
  for (const std::string& entry : basis.block.entries) {
    const Row* row = basis.block.row(line, entry);
    const std::optional<Setting> setting = setting_of(row);
    if (entry == basis.reference || !is_nccl(entry) || !setting) continue;
    if (setting->protocol == "ll128" && !has_ll128(facts)) continue;
    const Contest result = contest(basis, line, entry);
    if (result.kind != Contest::Kind::faster) continue;
    if (!best.margin || result.margin.ratio > best.margin->ratio) best = {line.bytes, row, result.margin};
  }
  return best;
}

// Half way between two measured sizes, as sizes go: where one choice gives way to the next.
std::uint64_t border(Bytes a, Bytes b) {
  return static_cast<std::uint64_t>(std::sqrt(static_cast<double>(a.count)) *
                                    std::sqrt(static_cast<double>(b.count)));
}

std::string tuner_line(const Choice& choice, std::uint64_t from, std::uint64_t to, int ranks) {
  const std::string why = choice.margin
                              ? margin_text(*choice.margin)
                              : "NCCL's own choice, kept: without a line the plug-in takes one channel";
  const Setting setting = *setting_of(choice.row);
  return comment(fmt::format("{}: {}", format_size(choice.bytes), why)) +
         fmt::format("allreduce,{},{},{},{},{},1,{},-1,-1\n", from, to, setting.algorithm, setting.protocol,
                     *choice.row->channels, ranks);
}

std::string what_is_missing(const Choice& choice) {
  const std::string what = choice.margin
                               ? choice.row->params.strategy + " wins by " + margin_text(*choice.margin)
                               : "NCCL's own choice stands";
  const char* missing =
      setting_of(choice.row) ? "the channels that it used are not known" : "what NCCL ran there is not known";
  return comment(fmt::format("{}: {}, but {}: no line", format_size(choice.bytes), what, missing));
}

// "undecided, 1 of 3 launches" where no two rows have enough of them; empty: some have.
std::string too_few_launches(const DecisionBasis& basis) {
  std::size_t most = 0;
  for (const SizeLine& line : basis.block.lines) {
    for (const std::string& entry : basis.block.entries) {
      if (entry != basis.reference && is_nccl(entry))
        most = std::max(most, contest(basis, line, entry).launches);
    }
  }
  if (most == 0 || most >= kDecidingLaunches) return "";
  return fmt::format("undecided, {} of {} launches", most, kDecidingLaunches);
}

// How a setting without a size does at every size.
struct Overall {
  std::string entry;
  std::vector<std::string> asked;  // "TREE", or "TREE" and "LL"; empty: kNoMixing
  std::size_t wins = 0;
  double gain = 0;  // sum of the logarithms of its margins
  Margin closest{.ratio = HUGE_VAL, .least = HUGE_VAL};
};

// NCCL's own choice without support for several graphs at a time, whichever way that was set.
constexpr const char* kNoMixing = "nccl-auto:nomix";

// Whether the row had what it asks for at its size; notes what that is.
bool had_its_way(const Row* row, Overall& overall) {
  if (overall.entry == kNoMixing) return row != nullptr && row->setting.has_value();
  if (!setting_of(row) || !row->asked) return false;
  overall.asked = split(*row->asked, '/');
  const std::vector<std::string> ran = split(*row->ran, '/');
  for (std::size_t i = 0; i < overall.asked.size(); ++i) {
    if (i >= ran.size() || lower_case(ran[i]) != lower_case(overall.asked[i])) return false;
  }
  return true;
}

// Nothing where it loses or leaves anything open at a size.
std::optional<Overall> judge_entry(const DecisionBasis& basis, const std::string& entry) {
  Overall overall{.entry = entry, .asked = {}};
  for (const SizeLine& line : basis.block.lines) {
    if (!had_its_way(basis.block.row(line, entry), overall)) return std::nullopt;
    const Contest result = contest(basis, line, entry);
    if (result.kind == Contest::Kind::even) continue;
    if (result.kind != Contest::Kind::faster) return std::nullopt;
    ++overall.wins;
    overall.gain += std::log(result.margin.ratio);
    if (result.margin.least < overall.closest.least) overall.closest = result.margin;
  }
  return overall.wins > 0 ? std::optional(overall) : std::nullopt;
}

// Why a setting that wins is not to be set; empty: it may be.
std::string danger(const Overall& overall, const MachineFacts& facts) {
  if (overall.asked.empty()) return "";  // said beside the setting
  const std::string algorithm = lower_case(overall.asked[0]);
  if (algorithm != "ring" && algorithm != "tree")
    return fmt::format(
        "{} has no fallback for types and operations that it can't add: such an allreduce would fail",
        overall.asked[0]);
  if (overall.asked.size() > 1 && lower_case(overall.asked[1]) == "ll128" && !has_ll128(facts))
    return "LL128 needs NVLink between every two GPUs and compute capability 7.0 or later, which is not "
           "known here";
  return "";
}

// What a setting that wins is for.
std::string conditions(const Overall& overall) {
  if (!overall.asked.empty()) return "For allreduces alone; NCCL 2.24 or later.";
  return "For one graph at a time and no other NCCL call while a graph runs: NCCL supports neither with this "
         "setting, which holds for every collective of the process. Only allreduces in graphs were measured. "
         "Not together with another setting of this export: no two were measured together.";
}

std::string variables(const Overall& overall) {
  std::string lines = fmt::format("NCCL_ALGO=allreduce:{}\n", lower_case(overall.asked[0]));
  if (overall.asked.size() > 1)
    lines += fmt::format("NCCL_PROTO=allreduce:{}\n", lower_case(overall.asked[1]));
  return lines;
}

}  // namespace

// The plug-in sets one channel for every collective and size that has no line, and for -1. So where something
// wins every size gets a line, with the channels that NCCL used, or none does. It takes the first line whose
// range, both ends included, holds a size: ours have no size in common. The examples of 2.27.5 to 2.29.7 take
// NCCL's table of costs, which is one block, for pointers to rows, and crash at the first line that fits.
std::string nccl_tuner_csv(const DecisionBasis& basis) {
  const auto& lines = basis.block.lines;
  std::vector<Choice> choices;
  for (const SizeLine& line : lines) choices.push_back(choose(basis, line));
  std::string text = validity(basis);
  const MachineFacts facts = machine_facts(basis);
  if (!facts.nccl || *facts.nccl < kFirstSafePlugin) {
    return text +
           comment(fmt::format(
               "No line: {}. The example plug-in is safe from 2.30.3 on, and NCCL takes that one since 2.28.",
               facts.nccl ? "measured with NCCL " + nccl_version_text(*facts.nccl)
                          : "which NCCL measured is not known"));
  }
  if (std::ranges::none_of(choices, [](const Choice& choice) { return choice.margin.has_value(); })) {
    const std::string undecided = too_few_launches(basis);
    const std::string why =
        fmt::format("nothing is faster than {} at any size beyond doubt", basis.reference);
    return text + comment(fmt::format(
                      "No line: {}. Don't load the plug-in: it takes one channel for whatever has no line.",
                      undecided.empty() ? why : undecided));
  }
  if (lines.back().bytes < kLargeMessage) {
    return text + comment(fmt::format(
                      "No line: nothing above {} was measured, and the plug-in takes one channel for "
                      "whatever has no line; measure up to {}.",
                      format_size(lines.back().bytes), format_size(kLargeMessage)));
  }
  if (!std::ranges::all_of(choices, &Choice::complete)) {
    for (const Choice& choice : choices) {
      if (!choice.complete()) text += what_is_missing(choice);
    }
    return text +
           comment(
               "No line at all: the plug-in takes one channel for whatever has no line, so that a file "
               "with gaps would slow those sizes down. Measure again with this version of ringside.");
  }
  text += comment(
      "Load with NCCL_TUNER_CONFIG_FILE and NCCL_TUNER_PLUGIN, NVIDIA's example plug-in from NCCL 2.30.3 or "
      "later: "
      "those of 2.27.5 to 2.29.7 crash at a line that fits, earlier ones read no file. The plug-in takes one "
      "channel for "
      "whatever has no line: other collectives, other numbers of ranks and other sizes become slower. For a "
      "job of these "
      "allreduces alone.");
  text +=
      comment("collective,min bytes,max bytes,algorithm,protocol,channels,nodes,ranks,pipe ops,registered");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::uint64_t from = i == 0 ? lines[i].bytes.count : border(lines[i - 1].bytes, lines[i].bytes) + 1;
    const std::uint64_t to =
        i + 1 == lines.size() ? lines[i].bytes.count : border(lines[i].bytes, lines[i + 1].bytes);
    text += tuner_line(choices[i], from, to, basis.block.ranks);
  }
  return text;
}

// "allreduce:tree" leaves the other collectives as they are. Without the collective they fail where they have
// no such algorithm: NCCL has no fallback since 2.24.
std::string nccl_environment(const DecisionBasis& basis) {
  const MachineFacts facts = machine_facts(basis);
  const std::string text = validity(basis);
  const auto nothing = [&](const std::string& why) { return text + comment("Set nothing: " + why + "."); };
  if (!facts.nccl)
    return nothing("which NCCL measured is not known, and its versions read NCCL_ALGO differently");
  if (*facts.nccl < kFirstByCollective)
    return nothing(
        fmt::format("NCCL {} takes NCCL_ALGO and NCCL_PROTO for all collectives, since 2.24 for one",
                    nccl_version_text(*facts.nccl)));
  std::optional<Overall> best;
  std::string refused;  // and what is only said
  for (const std::string& entry : basis.block.entries) {
    if (entry == basis.reference || !is_nccl(entry)) continue;
    const std::optional<Overall> overall = judge_entry(basis, entry);
    if (!overall) continue;
    if (const std::string why = danger(*overall, facts); !why.empty()) {
      refused += comment(fmt::format("not {}: {}", entry, why));
    } else if (overall->asked.empty()) {
      refused += comment(fmt::format(
          "{} wins at {} of {} sizes, by {} where it is closest, and is slower at none. {} Not set "
          "here; to set it: NCCL_GRAPH_MIXING_SUPPORT=0",
          entry, overall->wins, basis.block.lines.size(), margin_text(overall->closest),
          conditions(*overall)));
    } else if (!best || overall->gain > best->gain) {
      best = overall;
    }
  }
  if (const std::string undecided = too_few_launches(basis); !undecided.empty()) return nothing(undecided);
  if (!best) {
    return nothing(
               "no single algorithm wins at a size and is never slower at another. A tuner can choose by "
               "size "
               "(--export nccl-tuner)") +
           refused;
  }
  const Bytes largest = basis.block.lines.back().bytes;
  if (largest < kLargeMessage)
    return nothing(fmt::format(
               "{} wins, but the setting holds for every size, and nothing above {} was measured; "
               "measure up to {}",
               best->entry, format_size(largest), format_size(kLargeMessage))) +
           refused;
  return text + refused +
         comment(fmt::format("{} wins at {} of {} sizes, by {} where it is closest, and is slower at none. "
                             "Messages above {} were not measured. {}",
                             best->entry, best->wins, basis.block.lines.size(), margin_text(best->closest),
                             format_size(largest), conditions(*best))) +
         variables(*best);
}

}  // namespace ringside
