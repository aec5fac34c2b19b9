#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ringside {

// A string as JSON has it, quotation marks included; invalid UTF-8 is replaced by U+FFFD, and
// what could steer a terminal is escaped (base/printable.hpp).
std::string json_string(std::string_view text);

// Writes one JSON text from its beginning to its end. Pretty: a member or an element a line, indented by two
// blanks a level, but numbers of an array one behind the other; else all on one line without blanks.
class JsonText {
 public:
  explicit JsonText(bool pretty) : pretty_(pretty) {}

  enum class Layout { lines, line };  // of an array's elements, when pretty

  void begin_object();
  void end_object();
  void begin_array(Layout layout = Layout::lines);
  void end_array();
  void key(std::string_view name);  // as it stands in the text; its value comes next

  void null();
  void truth(bool value);
  void whole(std::int64_t value);
  void whole(std::string_view digits);
  void number(double value);  // null when it is not finite
  void numbers(const std::vector<double>& values);
  void string(std::string_view value);
  void facts(const std::vector<std::pair<std::string, std::string>>& pairs);  // an object whose keys are data

  // Ends it with a newline.
  std::string take() &&;

 private:
  struct Level {
    bool on_one_line;
    bool empty = true;
  };

  void begin(char bracket, bool on_one_line);
  void end(char bracket);
  void append(std::string_view value);
  void separate();
  void new_line();

  bool pretty_;
  bool after_key_ = false;
  std::vector<Level> levels_;
  std::string text_;
};

}  // namespace ringside
