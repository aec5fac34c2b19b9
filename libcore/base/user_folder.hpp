#pragma once

#include <filesystem>

namespace ringside {

// Where what was measured on this box is kept between runs: $XDG_DATA_HOME/ringside, else
// $HOME/.local/share/ringside. Nothing when neither is set. It need not exist.
std::filesystem::path user_data_folder();

}  // namespace ringside
