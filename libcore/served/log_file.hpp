#pragma once

#include <string>
#include <vector>

#include "served/log_stream.hpp"

namespace ringside {

// Feeds a file, or stdin for "-", to the stream and finishes it: text, UTF-16 text, or either packed by gzip.
// Gives what of the file could not be read ("the gzip file is cut off ..."). Throws UsageError that names the
// path when it can't be opened or is no text.
std::vector<std::string> read_log_file(const std::string& path, LogStream& stream);

}  // namespace ringside
