#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "served/log_time.hpp"

namespace ringside {

// A line of a log that is a JSON object.
struct JsonLine {
  std::string text;  // its message, of one line or several
  std::string source, level;
  int pid = -1;
  bool unended = false;  // docker cut a long line: the next one goes on with it
  std::optional<LogTime> time;
};

// Nothing where the line is no JSON object, or holds no message.
std::optional<JsonLine> read_json_line(std::string_view line);

}  // namespace ringside
