#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ringside {

// Files and folders that a process makes for a moment, in a place that others use too. They bear its number,
// and it holds a lock on them (flock), which goes with it: so a later process can tell what was left behind
// by one that was killed, also where numbers mean other processes (containers that share /tmp).

// PREFIX and this process's number: what follows is the caller's.
std::string own_name(std::string_view prefix);

// Holds the open file or folder as being in use, as long as `fd` is open.
void mark_in_use(int fd) noexcept;

// Removes what earlier processes left in `folder` under a name of own_name(prefix). What can't be removed
// stays.
void remove_leftovers(const std::filesystem::path& folder, std::string_view prefix) noexcept;

}  // namespace ringside
