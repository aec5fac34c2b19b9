#pragma once

#include <cstddef>
#include <string>

namespace ringside {

// The content of a regular file of at most `most` bytes. Throws UsageError that names the path.
std::string read_text_file(const std::string& path, std::size_t most = std::size_t{16} << 20);

}  // namespace ringside
