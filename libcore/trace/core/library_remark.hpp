#pragma once

#include <optional>
#include <string>
#include <vector>

#include "served/log_text.hpp"
#include "trace/core/signature.hpp"

namespace ringside {

// A line in which a library or tool says what went wrong before its caller gives up: an exception that
// follows often says less ("unhandled system error").
struct LibraryRemark {
  std::string text;  // safe to print, at most 500 bytes
  long line = 0;     // of the log
  // Whether the library ends its process itself: the remark is then the beginning of the last words.
  bool ends_process = false;
  bool is_end = false;  // it is said only by a process that ends
};

// Texts of which each such line holds one: those of libraries, and those that signatures look for right
// before a death.
std::vector<std::string> remark_texts(const std::vector<Signature>& signatures);

std::optional<LibraryRemark> read_remark(const LogText& line, long number,
                                         const std::vector<Signature>& signatures);

// Adds it, unless the same was remarked before or there are too many.
void keep_remark(std::optional<LibraryRemark> remark, std::vector<LibraryRemark>& remarks);

// Those before a line of the log.
std::vector<std::string> remarks_before(const std::vector<LibraryRemark>& remarks, long line);

}  // namespace ringside
