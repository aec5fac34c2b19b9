#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "protocol/group_settings.hpp"

namespace ringside {

// What the ranks answered to one request, or how it went wrong.
struct TurnOutcome {
  enum class Kind {
    ok,
    error,   // a rank reported an error: the group is over for this case, but may be used for others when
             // `alive`
    lost,    // a rank died
    timeout  // the deadline passed
  };
  Kind kind = Kind::ok;
  std::vector<std::string> replies;   // one JSON text per rank, when ok
  std::vector<int> ranks;             // who failed, died or did not answer
  std::string message;                // one line: who, in which phase, how it ended
  std::vector<std::string> evidence;  // the end of what those ranks printed
  bool alive = true;                  // false: the group has been ended and a fresh one is needed
};

// A running group of ranks as the scheduler sees it. Tests use scripted ones.
class RankGroup {
 public:
  virtual ~RankGroup() = default;
  // Sends `request` (one JSON text) to every rank and waits until all have answered, one has failed, or the
  // timeout passes. On lost and timeout all ranks are ended before it returns.
  virtual TurnOutcome ask(const std::string& request, std::chrono::nanoseconds timeout) = 0;
  // Asks the ranks to end and waits for that; the last call. `lost` where a signal ended or stopped some.
  virtual TurnOutcome end() = 0;
};

// A fresh group, or how its ranks were lost before they were ready (none is left then).
struct StartedGroup {
  std::unique_ptr<RankGroup> group;  // null: see outcome
  TurnOutcome outcome;               // ok, lost or timeout
};

class RankGroupFactory {
 public:
  virtual ~RankGroupFactory() = default;
  // Starts a fresh group and waits until all ranks are ready. Throws EnvironmentError when this machine can't
  // have it: no memory for its buffers, no process, no GPU.
  virtual StartedGroup start(const GroupSettings& settings, std::chrono::nanoseconds timeout) = 0;
};

}  // namespace ringside
