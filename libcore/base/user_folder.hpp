#pragma once

#include <filesystem>
#include <string_view>

#include "base/fd.hpp"

namespace ringside {

// Where what was measured on this box is kept between runs: $XDG_DATA_HOME/ringside, else
// $HOME/.local/share/ringside. Nothing when neither is set. It need not exist.
std::filesystem::path user_data_folder();

// Makes the folder of a file that is to be stored there, and tries whether it can be written. `what`: for
// messages, "the calibration". Throws EnvironmentError.
void check_place(std::string_view what, const std::filesystem::path& file);

// Holds other processes of this user off the folder's files until it is closed, where the file system knows
// locks: waits for its turn.
UniqueFd lock_folder(const std::filesystem::path& folder);

}  // namespace ringside
