#include "served/log_line.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

namespace ringside {

namespace {

constexpr std::array<std::string_view, 8> kNames = {"DP",      "PP",     "TP", "EP",
                                                    "ATTN_CP", "MOE_DP", "CP", "rank"};

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The digits behind `name` in text, when it is a word of its own: "TP3", "rank 3", "rank3"; empty: none.
std::string_view digits_after(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    if (at > 0 && is_word(text[at - 1])) continue;
    std::size_t start = at + name.size();
    if (name == "rank" && start < text.size() && (text[start] == ' ' || text[start] == '=')) ++start;
    std::size_t end = start;
    while (end < text.size() && is_digit(text[end])) ++end;
    if (end > start && end - start < 6 && (end == text.size() || !is_word(text[end])))
      return text.substr(start, end - start);
  }
  return {};
}

}  // namespace

std::string plain_line(std::string_view line) {
  std::string plain;
  plain.reserve(line.size());
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\x1b' && i + 1 < line.size() && line[i + 1] == '[') {
      i += 2;
      while (i < line.size() && !(line[i] >= '@' && line[i] <= '~')) ++i;
    } else if (line[i] != '\r' && line[i] != '\x1b') {
      plain += line[i];
    }
  }
  return plain;
}

std::string rank_words(std::string_view prefix) {
  std::string words;
  for (const std::string_view name : kNames) {
    const std::string_view digits = digits_after(prefix, name);
    if (digits.empty()) continue;
    if (!words.empty()) words += ' ';
    words.append(name).append(digits);
  }
  return words;
}

std::string LogLine::rank_before(std::size_t at) const {
  return rank_words(std::string_view(text).substr(0, at));
}

int rank_number(std::string_view words) {
  for (const std::string_view name : {"TP", "rank", "EP", "DP", "PP"}) {
    const std::string_view digits = digits_after(words, name);
    if (!digits.empty()) return std::atoi(std::string(digits).c_str());
  }
  return -1;
}

bool ranks_agree(std::string_view a, std::string_view b) {
  for (const std::string_view name : kNames) {
    const std::string_view left = digits_after(a, name), right = digits_after(b, name);
    if (!left.empty() && !right.empty() && left != right) return false;
  }
  return true;
}

std::string without_numbers(std::string_view text) {
  std::string same(text);
  std::replace_if(same.begin(), same.end(), is_digit, '0');
  return same;
}

}  // namespace ringside
