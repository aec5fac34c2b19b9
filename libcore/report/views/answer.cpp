#include "report/views/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "report/views/size_ranges.hpp"

namespace ringside {
namespace {

struct Score {
  std::string winner;
  std::vector<Bytes> sizes;
  double ratio_min = 0;
  double ratio_max = 0;
};

void count_win(std::vector<Score>& scores, const GroupVerdict& verdict) {
  auto score = std::ranges::find(scores, *verdict.winner, &Score::winner);
  if (score == scores.end()) {
    score = scores.insert(scores.end(), Score{*verdict.winner, {}, verdict.ratio, verdict.ratio});
  }
  score->sizes.push_back(verdict.bytes);
  score->ratio_min = std::min(score->ratio_min, verdict.ratio);
  score->ratio_max = std::max(score->ratio_max, verdict.ratio);
}

std::string margin(const Score& score) {
  const std::string low = format_three_digits(score.ratio_min);
  const std::string high = format_three_digits(score.ratio_max);
  return low == high ? fmt::format("by {}x", low) : fmt::format("by {}x to {}x", low, high);
}

// Sizes without a winner, and why where the reasons are few enough to say.
struct Undecided {
  std::vector<Bytes> sizes;
  std::set<std::string> reasons;

  void add(const SizeLine& line) {
    sizes.push_back(line.bytes);
    if (line.verdict != nullptr && !line.verdict->reason.empty()) reasons.insert(line.verdict->reason);
  }
  std::string why() const {
    constexpr std::size_t few = 2;  // more than these differ from size to size; the Findings have them
    return reasons.size() > few ? "" : fmt::format("{}", fmt::join(reasons, ", "));
  }
};

// "9 of 14 sizes (2K to 512K)" in the first part of an answer, "3 (1M to 4M; why)" in the others.
std::string share(const std::vector<Bytes>& sizes, const std::vector<Bytes>& all, bool first,
                  const std::string& why) {
  if (all.size() == 1) return format_size(all.front()) + (why.empty() ? "" : " (" + why + ")");
  std::string number = fmt::format("{}", sizes.size());
  if (sizes.size() == all.size()) {
    number = fmt::format("all {} sizes", all.size());
  } else if (first) {
    number += fmt::format(" of {} sizes", all.size());
  }
  return fmt::format("{} ({}{}{})", number, size_ranges(sizes, all), why.empty() ? "" : "; ", why);
}

// By a model of the machine, not by rows that were measured.
bool calculated(const SweepBlock& block) {
  return std::ranges::any_of(block.lines, [](const SizeLine& line) {
    return line.verdict != nullptr && line.verdict->reason == "calculated, not measured";
  });
}

}  // namespace

std::string verdict_text(const GroupVerdict* verdict) {
  if (verdict == nullptr) return "-";
  if (verdict->winner) return fmt::format("{}, {}x", *verdict->winner, format_three_digits(verdict->ratio));
  return verdict->tied.empty() ? "-" : fmt::format("tie ({})", join(verdict->tied, ", "));
}

std::string answer(const SweepBlock& block) {
  const auto untimed = [](const SizeLine& line) { return line.best == nullptr; };
  if (block.entries.size() < 2 || std::ranges::all_of(block.lines, untimed)) return "";
  std::vector<Score> scores;
  std::vector<Bytes> all;
  Undecided ties, open;
  for (const SizeLine& line : block.lines) {
    all.push_back(line.bytes);
    if (untimed(line)) continue;
    if (line.verdict != nullptr && line.verdict->winner) {
      count_win(scores, *line.verdict);
    } else {
      (line.verdict != nullptr && !line.verdict->tied.empty() ? ties : open).add(line);
    }
  }
  std::ranges::stable_sort(scores, std::greater{}, [](const Score& score) { return score.sizes.size(); });

  std::vector<std::string> parts;
  for (const Score& score : scores) {
    const char* at = all.size() == 1 ? "at " : "";
    parts.push_back(fmt::format("{} wins {}{} {}{}", score.winner, at,
                                share(score.sizes, all, parts.empty(), ""), margin(score),
                                calculated(block) ? " (calculated, not measured)" : ""));
  }
  const auto add_undecided = [&](const char* what, const Undecided& undecided) {
    if (undecided.sizes.empty()) return;
    parts.push_back(what + share(undecided.sizes, all, parts.empty(), undecided.why()));
  };
  add_undecided("tie at ", ties);
  add_undecided("undecided at ", open);
  return join(parts, ", ");
}

Answers block_answers(const std::vector<SweepBlock>& blocks) {
  Answers answers{.answers = {}, .single = blocks.size() == 1};
  for (const SweepBlock& block : blocks) {
    if (std::string text = answer(block); !text.empty())
      answers.answers.push_back({.label = "verdict", .about = block.name(), .text = std::move(text)});
  }
  return answers;
}

}  // namespace ringside
