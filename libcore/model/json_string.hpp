#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "model/json_tree.hpp"

namespace ringside {

// What is wrong with a string, and where.
struct BadJsonString {
  const char* place;
  std::string_view what;
};

// Reads the strings of a JSON text: one without escapes stays where it is.
class JsonStrings {
 public:
  explicit JsonStrings(std::deque<std::string>& unescaped) : unescaped_(unescaped) {}

  // The string whose quotation mark `at` points to, which then points behind it; `end` is that of the text.
  // Throws BadJsonString.
  JsonNode read(const char*& at, const char* end);

 private:
  JsonNode read_escaped(const char* start, const char*& at, const char* end);

  std::deque<std::string>& unescaped_;
};

}  // namespace ringside
