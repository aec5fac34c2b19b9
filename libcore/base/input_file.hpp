#pragma once

#include <cstddef>
#include <string>

namespace ringside {

// The content of a file ("-": stdin) of at most `most` bytes. Throws UsageError that says why it can't be
// read.
std::string read_input(const std::string& path, std::size_t most);

// The content of a regular file of at most `most` bytes, which another file names: never stdin, never a pipe.
// Throws UsageError that names the path.
std::string read_text_file(const std::string& path, std::size_t most = std::size_t{16} << 20);

}  // namespace ringside
