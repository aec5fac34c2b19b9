#pragma once

#include <map>

#include "machine/root_files.hpp"

namespace ringside {

// Clock ticks (1/100 s as a rule) that a core has spent since the machine was started, from proc/stat.
struct CoreTimes {
  unsigned long long busy = 0;    // running anything here
  unsigned long long stolen = 0;  // given to others by a hypervisor, while something here wanted to run
  unsigned long long all = 0;     // idle time included

  CoreTimes operator-(const CoreTimes& before) const;
};

// By the core's number; empty where the kernel does not tell.
std::map<int, CoreTimes> read_core_times(const RootFiles& files);

}  // namespace ringside
