#include "sweep/group_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "stats/clean_rounds.hpp"
#include "stats/order.hpp"
#include "stats/verdict.hpp"

namespace ringside {
namespace {

constexpr int kMinLaunches = 3;
constexpr double kMargin = 0.01;

const LaunchSamples* same_launch(const LaunchSamples& launch, const Row& row) {
  const auto same = std::ranges::find(row.launches, launch.launch, &LaunchSamples::launch);
  return same == row.launches.end() ? nullptr : &*same;
}

// The launches in which both took turns, round by round. One with other rounds on the two sides, which no
// sweep makes, can't be paired.
std::vector<PairedRounds> pair_up(const Row& a, const Row& b) {
  std::vector<PairedRounds> pairs;
  for (const LaunchSamples& launch : a.launches) {
    const LaunchSamples* const same = same_launch(launch, b);
    if (same == nullptr || same->turn_group != launch.turn_group) continue;
    PairedRounds pair{clean_round_medians(launch), clean_round_medians(*same)};
    if (pair.a_ns.size() == pair.b_ns.size()) pairs.push_back(std::move(pair));
  }
  return pairs;
}

bool too_few(const PairedRounds& pair) {
  std::size_t rounds = 0;
  for (std::size_t round = 0; round < pair.a_ns.size(); ++round)
    rounds += pair.a_ns[round] > 0 && pair.b_ns[round] > 0;
  return rounds < kFewestRounds;
}

// Why the launches of the row can name no winner, nor a tie, however many they are; empty: they can.
std::string too_few_rounds(const Row& row) {
  int enough = 0;
  std::size_t rounds = 0;
  std::size_t disturbed = 0;
  for (const LaunchSamples& launch : row.launches) {
    if (clean_rounds(launch) >= kFewestRounds) ++enough;
    rounds += clean_rounds(launch) + launch.disturbed_rounds.size();
    disturbed += launch.disturbed_rounds.size();
  }
  if (enough >= kMinLaunches) return "";
  const std::string needed =
      fmt::format("a winner needs {} undisturbed rounds in each of {} launches", kFewestRounds, kMinLaunches);
  if (disturbed == 0) return fmt::format("{}; {} in all {} measured", needed, rounds, row.launches.size());
  return fmt::format("{}; in {} of {} rounds ranks had to wait for their cores, or clocks moved", needed,
                     disturbed, rounds);
}

// Both were measured in some launch, and in none did they take turns.
bool apart(const Row& a, const Row& b) {
  bool common = false;
  for (const LaunchSamples& launch : a.launches) {
    const LaunchSamples* const same = same_launch(launch, b);
    if (same != nullptr && same->turn_group == launch.turn_group) return false;
    common = common || same != nullptr;
  }
  return common;
}

std::string percent(double ratio) {
  return fmt::format("{:.1f} %", (ratio - 1) * 100);
}

}  // namespace

// Launches with too few undisturbed rounds say nothing: the others decide where they are enough.
RatioVerdict judge_pair(const Row& a, const Row& b) {
  std::vector<PairedRounds> pairs = pair_up(a, b);
  const RatioVerdict all = judge(pairs, kMargin, kMinLaunches);
  if (std::erase_if(pairs, too_few) == 0 || pairs.size() < static_cast<std::size_t>(kMinLaunches)) return all;
  return judge(pairs, kMargin, kMinLaunches);
}

GroupVerdict judge_rows(const std::vector<const Row*>& rows, int launches_wanted) {
  std::vector<const Row*> ranked = rows;
  std::ranges::stable_sort(ranked, {}, [](const Row* row) { return row->time->median_ns; });
  const Row& best = *ranked.front();
  GroupVerdict verdict;
  verdict.bytes = best.params.bytes;
  verdict.dtype = best.params.dtype;
  verdict.mode = best.params.mode;
  verdict.collective = best.params.collective;
  if (ranked.size() == 1) {
    verdict.reason = "nothing to compare with";
    return verdict;
  }
  std::vector<std::string> inseparable;
  std::vector<std::string> unpaired;
  for (std::size_t i = 1; i < ranked.size(); ++i) {
    const RatioVerdict ratio = judge_pair(best, *ranked[i]);
    if (i == 1) {
      verdict.ratio = ratio.ratio;
      verdict.ratio_interval = hull(ratio.launch_intervals);
    }
    if (apart(best, *ranked[i])) {
      unpaired.push_back(entry_name(ranked[i]->params));
    } else if (ratio.kind != RatioVerdict::Kind::a_wins) {
      inseparable.push_back(entry_name(ranked[i]->params));
    }
  }
  if (!unpaired.empty()) {  // neither a winner nor a tie: the rounds of the two say nothing of each other
    verdict.reason = fmt::format("{} took no turns with {}, for want of memory", join(unpaired, ", "),
                                 entry_name(best.params));
    return verdict;
  }
  if (inseparable.empty()) {
    verdict.winner = entry_name(best.params);
    return verdict;
  }
  const auto launches = static_cast<int>(best.launches.size());
  if (launches < kMinLaunches) {  // no tie either: nothing was found out
    verdict.reason =
        launches_wanted < kMinLaunches
            ? fmt::format("a winner needs {} launches; {} asked for", kMinLaunches, launches_wanted)
            : fmt::format("a winner needs {} launches; {} measured", kMinLaunches, launches);
    return verdict;
  }
  verdict.reason = too_few_rounds(best);
  if (!verdict.reason.empty()) return verdict;
  verdict.tied.push_back(entry_name(best.params));
  verdict.tied.insert(verdict.tied.end(), inseparable.begin(), inseparable.end());
  return verdict;
}

Finding describe_verdict(const GroupVerdict& verdict, const std::vector<const Row*>& rows) {
  Finding finding;
  finding.subject =
      fmt::format("{}{} {} {}", verdict.collective == Collective::allreduce ? "" : "alltoall ",
                  format_size(verdict.bytes), to_string(verdict.dtype), to_string(verdict.mode));
  if (verdict.winner) {
    finding.kind = finding_kind("winner");
    finding.message = fmt::format("{} wins at {}, {} ahead of the next", *verdict.winner, finding.subject,
                                  percent(verdict.ratio));
  } else if (rows.size() == 1) {
    finding.kind = finding_kind("alone");
    finding.message = fmt::format("{} is the only strategy measured at {}", entry_name(rows.front()->params),
                                  finding.subject);
  } else if (verdict.tied.empty()) {
    finding.kind = finding_kind("undecided");
    finding.message = fmt::format("{} is undecided: {}", finding.subject, verdict.reason);
  } else {
    finding.kind = finding_kind("tie");
    finding.message = fmt::format("{} can't be told apart at {}", join(verdict.tied, ", "), finding.subject);
  }
  if (verdict.ratio_interval) {
    finding.evidence.push_back(
        fmt::format("runner-up / first: {:.3f}, 95 % interval over all launches {:.3f} to {:.3f}",
                    verdict.ratio, verdict.ratio_interval->low, verdict.ratio_interval->high));
  }
  return finding;
}

}  // namespace ringside
