#pragma once

#include <string>
#include <vector>

#include "trace/core/log_launch.hpp"

namespace ringside {

// How much a traceback says about why a server died.
enum class Weight {
  follow_up,  // it only passes on that another process died
  neighbour,  // it waited in vain for another process, or lost it
  own,        // what it died of itself
};

Weight weight_of(const LoggedTraceback& traceback);

// What a launch died of, as its log tells. All pointers are into the launch.
struct LogDeath {
  const LoggedTraceback* traceback = nullptr;  // null: it left none
  const DeathNotice* words = nullptr;          // its last words, or who killed it
  const DeathNotice* exit = nullptr;           // how it ended
  Weight weight = Weight::own;
  bool found = false;  // something died

  std::vector<const LoggedTraceback*> follow_ups;  // which were passed over
};

// The first death that is a process's own. Parents' and neighbours' reports never win over it.
LogDeath find_death(const LoggedLaunch& launch);

}  // namespace ringside
