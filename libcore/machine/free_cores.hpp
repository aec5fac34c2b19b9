#pragma once

#include <chrono>
#include <map>
#include <vector>

#include "machine/core_times.hpp"
#include "machine/root_files.hpp"

namespace ringside {

// What is known of a core when ranks are to be given theirs.
struct CoreLoad {
  int core = 0;
  double busy = 0;            // 0..1, of the time that was looked at; a hypervisor's theft included
  std::vector<int> siblings;  // hardware threads of the same physical core, itself included or not
};

// `wanted` of the cores, the least used first; a hardware thread whose sibling is used or chosen counts as
// half used. Fewer where there are fewer.
std::vector<int> pick_cores(const std::vector<CoreLoad>& cores, std::size_t wanted);

// Looks at how this machine's cores are used for `look`, and picks as many as there are ranks from those that
// this process may use. Without a look where there is no choice. Empty: there are fewer cores than ranks.
std::vector<int> free_cores(int ranks, const RootFiles& files = RootFiles(),
                            std::chrono::milliseconds look = std::chrono::milliseconds(80));

}  // namespace ringside
