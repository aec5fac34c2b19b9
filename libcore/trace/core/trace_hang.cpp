#include "trace/core/trace_hang.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "served/log_line.hpp"
#include "trace/core/explain.hpp"
#include "trace/core/rank_list.hpp"

namespace ringside {

namespace {

using Kind = HangVerdict::Kind;

constexpr std::size_t kShown = 16;

bool moved(const RasReport& first, const RasReport& later) {
  for (const RasCommunicator& now : later.communicators)
    for (const RasCommunicator& before : first.communicators) {
      if (now.hash != before.hash) continue;
      for (const RasRank& rank : now.ranks)
        for (const RasRank& old : before.ranks)
          if (rank.rank == old.rank && !rank.missing && !old.missing && rank.launched != old.launched)
            return true;
    }
  return false;
}

void add_missing(const RasCommunicator& communicator, std::vector<Laggard>& laggards) {
  for (const RasRank& rank : communicator.ranks)
    if (rank.missing || rank.aborted || rank.async_error != 0)
      laggards.push_back({communicator.hash, communicator.size, rank, 0, ""});
}

void add_lagging(const RasCommunicator& communicator, std::vector<Laggard>& laggards) {
  std::int64_t most = 0;
  std::map<std::string, std::int64_t> most_of;
  for (const RasRank& rank : communicator.ranks) {
    most = std::max(most, rank.total());
    for (const auto& [name, count] : rank.launched) most_of[name] = std::max(most_of[name], count);
  }
  for (const RasRank& rank : communicator.ranks) {
    if (rank.missing || rank.total() >= most) continue;
    Laggard laggard{communicator.hash, communicator.size, rank, most, ""};
    std::int64_t gap = 0;
    for (const auto& [name, count] : most_of) {
      const auto own = rank.launched.find(name);
      const std::int64_t behind = count - (own == rank.launched.end() ? 0 : own->second);
      if (behind > gap) {
        gap = behind;
        laggard.collective = name;
      }
    }
    laggards.push_back(std::move(laggard));
  }
}

std::string where_of(const RasRank& rank) {
  std::string text = rank.host;
  if (rank.pid >= 0) text += fmt::format("{}pid {}", text.empty() ? "" : ", ", rank.pid);
  if (rank.cuda_device >= 0) text += fmt::format(", GPU {}", rank.cuda_device);
  return printable(text);
}

std::string laggard_text(const Laggard& laggard, Kind kind) {
  const RasRank& rank = laggard.rank;
  std::string text = fmt::format("rank {} of {} ({})", rank.rank, laggard.size, where_of(rank));
  if (rank.dead) return text + " is dead";
  if (rank.aborted) return text + " has aborted its communicator";
  if (rank.async_error != 0) return text + fmt::format(" has NCCL error {}", rank.async_error);
  if (kind == Kind::missing) return text + " gives no answer";
  return text +
         fmt::format(" launched {} collectives, another rank {}{}", rank.total(), laggard.most,
                     laggard.collective.empty() ? "" : "; it lags most in " + printable(laggard.collective));
}

const PySpyProcess* stack_of(const std::vector<PySpyProcess>& stacks, const RasRank& rank) {
  for (const PySpyProcess& process : stacks)
    if (process.pid == rank.pid) return &process;
  return nullptr;
}

TraceDeath death_of(const HangVerdict& verdict, const std::vector<PySpyProcess>& stacks) {
  TraceDeath death;
  const Laggard& first = verdict.laggards.front();
  std::vector<int> ranks;
  for (const Laggard& laggard : verdict.laggards)
    if (laggard.communicator == first.communicator) ranks.push_back(laggard.rank.rank);
  std::sort(ranks.begin(), ranks.end());
  death.ranks = format_ranks(ranks);
  death.process = fmt::format("rank {}", first.rank.rank);
  death.message = laggard_text(first, verdict.kind);
  if (const PySpyProcess* process = stack_of(stacks, first.rank))
    if (const PySpyThread* thread = process->main())
      for (std::size_t i = thread->frames.size(); i-- > 0;)
        death.frames.push_back(
            {thread->frames[i].file, thread->frames[i].line, thread->frames[i].function, ""});
  return death;
}

std::string summary_of(const HangVerdict& verdict) {
  switch (verdict.kind) {
    case Kind::missing:
    case Kind::lags:
      return "it hangs: " + laggard_text(verdict.laggards.front(), verdict.kind);
    case Kind::in_flight:
      return "nothing moved between two looks, and all ranks launched as many collectives: one was launched "
             "and "
             "does not end, or nobody asks for anything";
    case Kind::moving:
      return "the counts of collectives grew between two looks: it does not hang in NCCL";
    case Kind::unknown:
      break;
  }
  return "all ranks launched as many collectives; one look can't tell a hang from a server that waits";
}

// What the processes of a dump stand in, one line each, where RAS names nobody.
std::vector<std::string> standing(const std::vector<PySpyProcess>& stacks) {
  std::vector<std::string> lines;
  for (const PySpyProcess& process : stacks) {
    const PySpyThread* thread = process.main();
    if (!thread || thread->frames.empty() || lines.size() >= kShown) continue;
    const PySpyFrame& frame = thread->frames.front();
    lines.push_back(printable(fmt::format("pid {} ({}): {} at {}:{}", process.pid,
                                          process.command.empty() ? "unnamed" : process.command,
                                          frame.function, frame.file, frame.line)));
  }
  return lines;
}

}  // namespace

HangVerdict judge_hang(const RasReport& first, const std::optional<RasReport>& later) {
  const RasReport& now = later ? *later : first;
  HangVerdict verdict;
  for (const RasCommunicator& communicator : now.communicators) add_missing(communicator, verdict.laggards);
  if (!verdict.laggards.empty()) {
    verdict.kind = Kind::missing;
    return verdict;
  }
  if (later && moved(first, *later)) {
    verdict.kind = Kind::moving;
    return verdict;
  }
  for (const RasCommunicator& communicator : now.communicators) add_lagging(communicator, verdict.laggards);
  std::stable_sort(verdict.laggards.begin(), verdict.laggards.end(), [](const Laggard& a, const Laggard& b) {
    return a.most - a.rank.total() > b.most - b.rank.total();
  });
  const bool counted =
      std::any_of(now.communicators.begin(), now.communicators.end(), [](const auto& communicator) {
        return std::any_of(communicator.ranks.begin(), communicator.ranks.end(),
                           [](const RasRank& rank) { return rank.total() > 0; });
      });
  if (!verdict.laggards.empty())
    verdict.kind = Kind::lags;
  else if (later && counted)
    verdict.kind = Kind::in_flight;
  return verdict;
}

void trace_hang(const RasReport& first, const std::optional<RasReport>& later,
                const std::vector<PySpyProcess>& stacks, const std::string& origin, Document& document) {
  const HangVerdict verdict = judge_hang(first, later);
  const RasReport& now = later ? *later : first;
  InitTrace trace;
  trace.title = fmt::format("NCCL's RAS at {}", origin);
  trace.summary = summary_of(verdict);
  trace.outcome = verdict.laggards.empty() ? kUnknown : kUnknownDeath;
  if (!now.nccl_version.empty()) trace.facts.emplace_back("NCCL", printable(now.nccl_version));
  trace.facts.emplace_back("communicators", fmt::format("{}", now.communicators.size()));
  if (!verdict.laggards.empty()) trace.death = death_of(verdict, stacks);
  document.trace = std::move(trace);
  Finding finding{finding_kind("hang"),
                  verdict.laggards.empty() ? Severity::note : Severity::error,
                  "NCCL",
                  document.trace->summary,
                  {},
                  ""};
  for (std::size_t i = 0; i < std::min(kShown, verdict.laggards.size()); ++i)
    finding.evidence.push_back(fmt::format("communicator {}: {}", printable(verdict.laggards[i].communicator),
                                           laggard_text(verdict.laggards[i], verdict.kind)));
  if (verdict.kind == Kind::lags && !later)
    finding.evidence.push_back("one look: ranks of a job that runs may differ for a moment; ask again");
  for (std::string& line : standing(stacks)) finding.evidence.push_back(std::move(line));
  if (!verdict.laggards.empty() && !stack_of(stacks, verdict.laggards.front().rank) &&
      verdict.laggards.front().rank.pid >= 0)
    finding.remedy =
        fmt::format("on {}: py-spy dump --pid {} says where it stands",
                    printable(verdict.laggards.front().rank.host), verdict.laggards.front().rank.pid);
  add_finding(document, std::move(finding));
}

}  // namespace ringside
