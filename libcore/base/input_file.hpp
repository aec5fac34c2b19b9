#pragma once

#include <cstddef>
#include <string>

namespace ringside {

// The content of a file ("-": stdin) of at most `most` bytes. Throws UsageError that says why it can't be
// read.
std::string read_input(const std::string& path, std::size_t most);

}  // namespace ringside
