#include "trace/core/log_death.hpp"

#include <algorithm>
#include <array>

namespace ringside {

namespace {

using Kind = DeathNotice::Kind;

// What parents say (SGLang, vLLM, TensorRT-LLM, Ray, torchrun).
constexpr std::array<std::string_view, 35> kFollowUps = {"see stack trace",
                                                         "See stack trace",
                                                         "stack trace above",
                                                         "root cause above",
                                                         "error messages above",
                                                         "Engine core initialization failed",
                                                         "WorkerProc initialization failed",
                                                         "Worker failed with error",
                                                         "EngineCore encountered an issue",
                                                         "Executor failed.",
                                                         "Executor worker returned error",
                                                         "Executor worker died",
                                                         "died unexpectedly",
                                                         "terminated with exit code",
                                                         "terminated with signal",
                                                         "terminated unexpectedly",
                                                         "background process",
                                                         "Input socket thread died",
                                                         "Did not receive response from front-end",
                                                         "The actor died",
                                                         "actor is dead",
                                                         "worker died or was killed",
                                                         "Worker unexpectedly exits",
                                                         "returned non-zero exit status",
                                                         "Rank 0 scheduler died",
                                                         "scheduler died",
                                                         "child process died",
                                                         "process died",
                                                         "EngineDeadError",
                                                         "ChildFailedError",
                                                         "RayTaskError",
                                                         "ActorDiedError",
                                                         "RayActorError",
                                                         "WorkerCrashedError",
                                                         "BrokenProcessPool"};

// What processes say that waited for another one.
constexpr std::array<std::string_view, 24> kNeighbours = {
    "ncclRemoteError",
    "remote process exited or there was a network error",
    "Connection closed by peer",
    "Connection reset by peer",
    "Connection was likely closed",
    "connection was likely closed",
    "Broken pipe",
    "Socket closed",
    "socket has timed out",
    "recvValue failed",
    "sendBytes failed",
    "NCCL communicator was aborted",
    "communicator was aborted",
    "collective operation timeout",
    "Watchdog caught",
    "Timed out waiting",
    "timed out waiting",
    "RPC call to",
    "wait timeout after",
    "Timed out after",
    "barrier timeout",
    "Parent process exited",
    "could not connect to the master",
    "heartbeat"};

constexpr std::array<std::string_view, 4> kLostPipes = {"BrokenPipeError", "ConnectionResetError",
                                                        "ConnectionAbortedError", "IncompleteReadError"};
constexpr std::array<std::string_view, 4> kStops = {"KeyboardInterrupt", "CancelledError", "SystemExit",
                                                    "GeneratorExit"};

template <typename Texts>
bool holds_any(std::string_view text, const Texts& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

template <typename Names>
bool is_class(std::string_view error, const Names& names) {
  const std::size_t dot = error.rfind('.');
  const std::string_view last = error.substr(dot == std::string_view::npos ? 0 : dot + 1);
  return std::find(names.begin(), names.end(), last) != names.end();
}

Weight weight_of(const TraceDeath& death) {
  if (holds_any(death.message, kFollowUps) || holds_any(death.error, kFollowUps)) return Weight::follow_up;
  if (is_class(death.error, kStops)) return Weight::follow_up;
  // A pipe to a process that is gone.
  const bool reads = std::any_of(death.frames.begin(), death.frames.end(), [](const TraceFrame& frame) {
    return frame.file.find("multiprocessing/connection.py") != std::string::npos ||
           frame.source.find("recv") != std::string::npos;
  });
  if (death.error == "EOFError" && (reads || death.message.empty())) return Weight::follow_up;
  if (is_class(death.error, kLostPipes)) return Weight::neighbour;
  return holds_any(death.message, kNeighbours) ? Weight::neighbour : Weight::own;
}

bool is_parent(const LoggedTraceback& traceback) {
  return traceback.process.role >= ProcessRole::api_server;
}

bool ends_by_signal(const DeathNotice& notice) {
  return notice.kind == Kind::killer ||
         (notice.kind == Kind::exit && notice.code && !signal_name(*notice.code).empty());
}

class Search {
 public:
  explicit Search(const LoggedLaunch& launch) : launch_(launch) {}

  LogDeath run() {
    const LoggedTraceback* own = best_fatal();
    const DeathNotice* notice = best_notice(own);
    if (notice)
      from_notice(*notice);
    else if (own || (own = best_unmarked()) || (own = best_weak(Weight::neighbour)))
      from_traceback(*own);
    else if (const DeathNotice* hang = first_of(Kind::hang))
      from_notice(*hang);
    else if ((own = best_weak(Weight::follow_up)) || (own = cut_off()))
      from_traceback(*own);
    else if (const DeathNotice* after = first_of(Kind::aftermath))
      from_notice(*after);
    for (const LoggedTraceback& other : launch_.tracebacks)
      if (found_.found && &other != found_.traceback && counts(other) &&
          ringside::weight_of(other) != Weight::own)
        found_.follow_ups.push_back(&other);
    return found_;
  }

 private:
  bool counts(const LoggedTraceback& t) const { return t.last_line > launch_.ready_at; }
  bool is_fatal(const LoggedTraceback& t) const {
    return (t.fatal || (t.uncaught && !t.handled)) && counts(t) && !t.truncated;
  }

  // The first that is its process's own; of parents only where no child has one.
  const LoggedTraceback* best_fatal() const {
    const LoggedTraceback* best = nullptr;
    for (const LoggedTraceback& t : launch_.tracebacks) {
      if (!is_fatal(t) || ringside::weight_of(t) != Weight::own) continue;
      if (!best || std::pair(is_parent(t), t.first_line) < std::pair(is_parent(*best), best->first_line))
        best = &t;
    }
    return best;
  }

  // Nothing says that a process is lost, but the server never came up: what followed the last step of the
  // start, or else the last of all.
  const LoggedTraceback* best_unmarked() const {
    if (launch_.ready_at > 0) return nullptr;
    long last_step = 0;
    for (const ReachedMilestone& reached : launch_.milestones) last_step = std::max(last_step, reached.line);
    const LoggedTraceback* last = nullptr;
    for (const LoggedTraceback& t : launch_.tracebacks) {
      if (t.truncated || t.handled || ringside::weight_of(t) != Weight::own) continue;
      if (t.first_line > last_step && last_step > 0) return &t;
      last = &t;
    }
    return last;
  }

  const LoggedTraceback* best_weak(Weight weight) const {
    for (const LoggedTraceback& t : launch_.tracebacks)
      if (counts(t) && !t.truncated && ringside::weight_of(t) == weight &&
          (is_fatal(t) || launch_.ready_at == 0))
        return &t;
    return nullptr;
  }

  const LoggedTraceback* cut_off() const {
    for (const LoggedTraceback& t : launch_.tracebacks)
      if (t.truncated && counts(t)) return &t;
    return nullptr;
  }

  const DeathNotice* first_of(Kind kind) const {
    for (const DeathNotice& notice : launch_.notices)
      if (notice.kind == kind) return &notice;
    return nullptr;
  }

  // The first words, killer or end that tell more than the traceback: without one; before a parent's; or an
  // end by a signal before one of another process.
  const DeathNotice* best_notice(const LoggedTraceback* own) const {
    for (const DeathNotice& notice : launch_.notices) {
      if (notice.kind == Kind::hang || notice.kind == Kind::aftermath || notice.kind == Kind::stopped)
        continue;
      if (!own && !best_unmarked()) return &notice;
      if (!own) {
        if (ends_by_signal(notice) && notice.line < best_unmarked()->first_line) return &notice;
        continue;
      }
      if (notice.line > own->first_line) continue;
      if (is_parent(*own) && notice.kind != Kind::words) return &notice;
      if (ends_by_signal(notice) && (notice.process.rank.empty() || notice.process.rank != own->process.rank))
        return &notice;
    }
    return nullptr;
  }

  void from_traceback(const LoggedTraceback& traceback) {
    found_.found = true;
    found_.traceback = &traceback;
    found_.weight = ringside::weight_of(traceback);
  }

  void from_notice(const DeathNotice& first) {
    found_.found = true;
    for (const DeathNotice& notice : launch_.notices) {
      const bool words =
          notice.kind == Kind::words || notice.kind == Kind::killer || notice.kind == Kind::hang;
      if (words && !found_.words) found_.words = &notice;
      if (notice.kind == Kind::exit && !found_.exit) found_.exit = &notice;
    }
    if (!found_.words && !found_.exit) found_.exit = &first;
  }

  const LoggedLaunch& launch_;
  LogDeath found_;
};

}  // namespace

Weight weight_of(const LoggedTraceback& traceback) {
  Weight best = Weight::follow_up;
  for (const TraceDeath& link : traceback.links) best = std::max(best, weight_of(link));
  return best;
}

LogDeath find_death(const LoggedLaunch& launch) {
  return Search(launch).run();
}

}  // namespace ringside
