#include "launch/process_group.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>

#include "base/errors.hpp"
#include "base/text.hpp"
#include "protocol/group_settings.hpp"

namespace ringside {
namespace {

using std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kQuitTimeout = 15s;  // an orderly end: a NCCL communicator takes its time; then SIGKILL
constexpr auto kStopGrace = 1s;     // for a rank that somebody has stopped, at that end
constexpr auto kKillTimeout = 10s;  // a process that SIGKILL doesn't end by then is reported, not waited for
constexpr auto kGrace = 500ms;      // for the others, once one rank has failed
constexpr auto kSlice = 250ms;      // longest sleep in poll

}  // namespace

struct ProcessGroup::Turn {
  steady_clock::time_point deadline;
  std::vector<std::string> replies;
  std::vector<bool> answered;
  std::vector<int> failed;  // reported an error
  std::vector<std::string> errors;
  bool fatal = false;     // one of them can't go on
  std::vector<int> lost;  // socket closed
  std::vector<std::string> gathered;
  std::vector<UniqueFd> gathered_fds;
  std::vector<bool> in_gather;

  bool done() const {
    return std::all_of(answered.begin(), answered.end(), [](bool a) { return a; });
  }
};

StartedGroup ProcessGroupFactory::start(const GroupSettings& settings, std::chrono::nanoseconds timeout) {
  auto group = std::make_unique<ProcessGroup>(settings.ranks, settings.environment);
  TurnOutcome outcome = group->begin(settings, timeout);
  if (outcome.kind == TurnOutcome::Kind::ok) return {std::move(group), std::move(outcome)};
  if (outcome.kind != TurnOutcome::Kind::error) return {nullptr, std::move(outcome)};
  std::string message = "the ranks did not start: " + outcome.message;
  for (const std::string& line : outcome.evidence) message += "; " + line;
  throw EnvironmentError(message);
}

ProcessGroup::ProcessGroup(int ranks, const std::vector<std::pair<std::string, std::string>>& environment)
    : cells_(ranks) {
  for (int rank = 0; rank < ranks; ++rank)
    processes_.push_back(std::make_unique<RankProcess>(rank, cells_.fd(), environment));
}

TurnOutcome ProcessGroup::begin(const GroupSettings& settings, std::chrono::nanoseconds timeout) {
  TurnOutcome outcome = ask_as(MessageType::settings, settings_to_json(settings), timeout);
  if (outcome.kind != TurnOutcome::Kind::ok) end_all();
  return outcome;
}

ProcessGroup::~ProcessGroup() {
  try {
    end();
  } catch (const std::exception&) {  // no memory to say what; the processes' destructors end them
  }
}

TurnOutcome ProcessGroup::end() {
  TurnOutcome outcome;
  if (!alive_) return outcome;
  const auto deadline = steady_clock::now() + kQuitTimeout;
  for (auto& process : processes_) {
    try {
      process->send(MessageType::quit, {}, {}, deadline);
    } catch (const std::exception&) {  // it is gone or stuck; SIGKILL follows
    }
  }
  for (auto& process : processes_) {
    while (!process->wait(kStopGrace) && stopped().empty() && steady_clock::now() < deadline) continue;
  }
  const std::vector<int> held_up = stopped();
  std::vector<std::string> texts;
  for (auto& process : processes_) {
    const bool late = std::ranges::find(held_up, process->rank()) != held_up.end();
    if (!late && !process->killed()) continue;  // one that is only slow has done its work
    outcome.kind = TurnOutcome::Kind::lost;
    outcome.ranks.push_back(process->rank());
    texts.push_back(describe(process->rank(), late));
  }
  end_all();
  outcome.message = join(texts, "; ");
  for (const int rank : outcome.ranks) add_output(rank, outcome.evidence);
  outcome.alive = false;
  return outcome;
}

TurnOutcome ProcessGroup::ask(const std::string& request, std::chrono::nanoseconds timeout) {
  return ask_as(MessageType::request, request, timeout);
}

TurnOutcome ProcessGroup::ask_as(MessageType type, const std::string& body,
                                 std::chrono::nanoseconds timeout) {
  if (!alive_) throw InternalError("a rank group that has ended was asked");
  Turn turn;
  turn.deadline = steady_clock::now() + timeout;
  turn.replies.resize(processes_.size());
  turn.answered.resize(processes_.size());
  turn.gathered.resize(processes_.size());
  turn.gathered_fds.resize(processes_.size());
  turn.in_gather.resize(processes_.size());
  for (auto& process : processes_) {
    try {
      process->send(type, body, {}, turn.deadline);
    } catch (const SystemError&) {
      turn.lost.push_back(process->rank());
    } catch (const TimeoutError&) {  // found by the deadline below
    }
  }
  while (turn.lost.empty() && !turn.done()) {
    const auto before = steady_clock::now();
    if (before >= turn.deadline) break;
    poll_once(turn, std::min<std::chrono::milliseconds>(
                        kSlice, std::chrono::ceil<std::chrono::milliseconds>(turn.deadline - before)));
    const auto slept = steady_clock::now() - before;
    // Stopped and continued (Ctrl-Z, fg): the time in between was nobody's fault.
    if (slept > kSlice + 1s) turn.deadline += slept;
    if (!turn.failed.empty())
      turn.deadline = std::min<steady_clock::time_point>(turn.deadline, before + kGrace);
  }
  if (!turn.lost.empty()) return end_with(TurnOutcome::Kind::lost, turn, turn.lost);
  if (!turn.failed.empty()) return end_with(TurnOutcome::Kind::error, turn, turn.failed);
  if (!turn.done()) {
    std::vector<int> late;
    for (auto& process : processes_) {
      if (!turn.answered[static_cast<std::size_t>(process->rank())]) late.push_back(process->rank());
    }
    return end_with(TurnOutcome::Kind::timeout, turn, late);
  }
  TurnOutcome outcome;
  outcome.replies = std::move(turn.replies);
  return outcome;
}

void ProcessGroup::poll_once(Turn& turn, std::chrono::milliseconds timeout) {
  std::vector<pollfd> entries;
  for (auto& process : processes_) {
    entries.push_back({process->socket(), POLLIN, 0});
    entries.push_back({process->output().fd(), POLLIN, 0});
  }
  if (::poll(entries.data(), entries.size(), static_cast<int>(timeout.count())) < 0 && errno != EINTR) {
    throw SystemError("poll", errno);
  }
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    RankProcess& process = *processes_[i];
    if (entries[2 * i + 1].revents != 0) process.output().drain();
    if (entries[2 * i].revents == 0) continue;
    try {
      while (auto message = process.reader().next(false)) take(turn, process, std::move(*message));
    } catch (const SystemError&) {
      turn.lost.push_back(process.rank());
    }
  }
}

void ProcessGroup::take(Turn& turn, RankProcess& process, Message message) {
  const auto rank = static_cast<std::size_t>(process.rank());
  switch (message.type) {
    case MessageType::reply:
      turn.replies[rank] = std::move(message.body);
      turn.answered[rank] = true;
      return;
    case MessageType::fatal:
      turn.fatal = true;
      [[fallthrough]];
    case MessageType::error:
      turn.failed.push_back(process.rank());
      turn.errors.push_back(fmt::format("rank {}: {}", rank, message.body));
      turn.answered[rank] = true;
      return;
    case MessageType::gather:
    case MessageType::gather_fd:
      turn.gathered[rank] = std::move(message.body);
      if (!message.fds.empty()) turn.gathered_fds[rank] = std::move(message.fds.front());
      turn.in_gather[rank] = true;
      if (std::all_of(turn.in_gather.begin(), turn.in_gather.end(), [](bool in) { return in; })) {
        answer_gather(turn, message.type);
      }
      return;
    default:
      throw InternalError("a rank sent a message that only the coordinator may send");
  }
}

void ProcessGroup::answer_gather(Turn& turn, MessageType type) {
  const std::string body = pack(turn.gathered);
  std::vector<int> fds;
  if (type == MessageType::gather_fd) {
    for (const UniqueFd& fd : turn.gathered_fds) fds.push_back(fd.get());
  }
  for (auto& process : processes_) {
    try {
      process->send(type, body, fds, turn.deadline);
    } catch (const SystemError&) {
      turn.lost.push_back(process->rank());
    }
  }
  for (UniqueFd& fd : turn.gathered_fds) fd.reset();
  turn.in_gather.assign(turn.in_gather.size(), false);
}

std::string ProcessGroup::describe(int rank, bool late) {
  RankProcess& process = *processes_[static_cast<std::size_t>(rank)];
  const ProgressCell& cell = cells_[rank];
  const std::string where =
      fmt::format("in phase '{}', step {}", to_string(cell.phase.load()), cell.steps.load());
  if (!late) {
    process.wait(2s);  // its socket closed a moment ago; the kernel may still be at it
    return fmt::format("rank {} {} {}", rank, process.ended().value_or("closed its socket"), where);
  }
  const char state = process.state();
  const char* doing = state == 'T' || state == 't' ? "is stopped"
                      : state == 'D'               ? "is stuck in the kernel"
                                                   : "does not answer";
  return fmt::format("rank {} {} {}", rank, doing, where);
}

TurnOutcome ProcessGroup::end_with(TurnOutcome::Kind kind, const Turn& turn, std::vector<int> ranks) {
  TurnOutcome outcome;
  outcome.kind = kind;
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  if (kind == TurnOutcome::Kind::timeout) {
    // Where one rank is stopped the others only wait for it: name the one that holds them up.
    if (const std::vector<int> by = stopped(); !by.empty()) ranks = by;
  }
  outcome.ranks = ranks;
  if (kind == TurnOutcome::Kind::error) {
    outcome.message = join(turn.errors, "; ");
    outcome.alive = turn.done() && !turn.fatal;
  } else {
    std::vector<std::string> texts;
    for (const int rank : ranks) texts.push_back(describe(rank, kind == TurnOutcome::Kind::timeout));
    outcome.message = join(texts, "; ");
    outcome.alive = false;
  }
  if (!outcome.alive) end_all();
  for (const int rank : ranks) add_output(rank, outcome.evidence);
  for (auto& process : processes_) {
    if (!outcome.alive && !process->ended()) {
      outcome.evidence.push_back(
          fmt::format("rank {} (process {}) did not end after SIGKILL", process->rank(), process->pid()));
    }
  }
  return outcome;
}

void ProcessGroup::add_output(int rank, std::vector<std::string>& evidence) {
  for (const std::string& line : processes_[static_cast<std::size_t>(rank)]->output().last_lines(20))
    evidence.push_back(fmt::format("rank {} printed: {}", rank, line));
}

std::vector<int> ProcessGroup::stopped() const {
  std::vector<int> ranks;
  for (const auto& process : processes_) {
    if (const char state = process->state(); state == 'T' || state == 't') ranks.push_back(process->rank());
  }
  return ranks;
}

void ProcessGroup::end_all() {
  alive_ = false;
  for (auto& process : processes_) process->kill();
  const auto deadline = steady_clock::now() + kKillTimeout;
  for (auto& process : processes_) {
    process->wait(
        std::chrono::ceil<std::chrono::milliseconds>(std::max(deadline - steady_clock::now(), 0ns)));
  }
}

}  // namespace ringside
