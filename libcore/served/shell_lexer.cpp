#include <cctype>

#include <fmt/format.h>

#include "base/text.hpp"
#include "served/shell_reader.hpp"

namespace ringside {

namespace {

using Variables = std::map<std::string, std::vector<ShellWord>>;

// Variables that double must fill neither memory nor time.
constexpr std::size_t kMaxWordBytes = 1 << 20;
constexpr std::size_t kMaxPieces = 4096;  // of one word

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// As skip_blanks() has it: to bash, a form feed or a vertical tab is a letter like another.
bool ends_word(char c) {
  return std::string_view(" \t\r\n;&|<>()").find(c) != std::string_view::npos;
}

void append(ExpandedWord& into, std::string_view text) {
  std::string& last = into.words.back().text;
  if (last.size() + text.size() <= kMaxWordBytes) last += text;
}

// The text stays as it is written: a shell that is handed this word as its script finds it there again.
void append_unknown(ExpandedWord& into, const std::string& why, const std::string& written = "") {
  if (!into.words.back().unknown) into.words.back().unknown = why;
  append(into, written);
}

// An unquoted value is split at blanks: its first piece ends the word at hand, its last may go on. What
// stands for a value that can't be known (`$(nvidia-smi -L)`) is no words of it.
void append_value(ExpandedWord& into, const ShellWord& value, bool quoted) {
  if (value.unknown) append_unknown(into, *value.unknown);
  if (quoted || (value.unknown && value.text.find_first_of("$`") != std::string::npos)) {
    append(into, value.text);
    return;
  }
  bool started = false,
       gap = !value.text.empty() && std::isspace(static_cast<unsigned char>(value.text.front()));
  for (const std::string& piece : split(value.text, ' ')) {
    if (piece.empty()) {
      gap = true;
      continue;
    }
    if (started || (gap && !into.words.back().text.empty())) {
      if (into.words.size() == kMaxPieces) {
        append_unknown(into, "it has too many words");
        return;
      }
      into.words.emplace_back();
      into.words.back().unknown = value.unknown;
    }
    append(into, piece);
    started = true;
  }
}

void append_values(ExpandedWord& into, const std::vector<ShellWord>& values, bool quoted) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (into.words.size() == kMaxPieces) {
      append_unknown(into, "it has too many words");
      return;
    }
    if (i > 0) into.words.emplace_back();
    append_value(into, values[i], quoted);
    into.words.back().quoted = quoted;
  }
}

}  // namespace

char ShellLexer::next() {
  const char c = text_[at_++];
  if (c == '\n') ++line_;
  return c;
}

void ShellLexer::skip_blanks() {
  while (!at_end()) {
    if (peek() == ' ' || peek() == '\t' || peek() == '\r') {
      next();
    } else if (peek() == '\\' && peek(1) == '\n') {
      next(), next();
    } else if (peek() == '\\' && peek(1) == '\r' && peek(2) == '\n') {
      next(), next(), next();
    } else if (peek() == '#') {
      while (!at_end() && peek() != '\n') next();
    } else {
      return;
    }
  }
}

std::string ShellLexer::until_closing(char open, char close) {
  std::string inner;
  int depth = 1;
  while (!at_end()) {
    const char c = next();
    if (c == open && open != close) ++depth;
    if (c == close && --depth == 0) break;
    inner += c;
  }
  return inner;
}

void ShellLexer::expansion(bool quoted, const Variables& variables, ExpandedWord& into) {
  if (peek() == '(') {
    next();
    const std::string inner = until_closing('(', ')');
    append_unknown(into, fmt::format("$({}) is not run", inner.substr(0, 60)), "$(" + inner + ")");
    return;
  }
  std::string name, fallback;
  bool has_fallback = false;
  if (peek() == '{') {
    next();
    const std::string inner = until_closing('{', '}');
    std::size_t end = 0;
    while (end < inner.size() && is_name(inner[end])) ++end;
    name = inner.substr(0, end);
    std::string rest = inner.substr(end);
    if (rest == "[@]" || rest == "[*]") rest.clear();
    if (rest.starts_with(":-") || rest.starts_with(":=")) {
      has_fallback = true;
      fallback = rest.substr(2);
    } else if (!rest.empty() || name.empty()) {
      into.open_ended = into.open_ended || inner == "@" || inner == "*";
      append_unknown(into, fmt::format("${{{}}} is not worked out", inner.substr(0, 60)), "${" + inner + "}");
      return;
    }
  } else if (peek() == '@' || peek() == '*') {
    next();
    into.open_ended = true;
    append_unknown(into, "arguments that come from outside", "$@");
    return;
  } else {
    while (!at_end() && is_name(peek())) name += next();
    if (name.empty()) {
      append(into, "$");
      return;
    }
  }
  const auto found = variables.find(name);
  if (found != variables.end())
    append_values(into, found->second, quoted);
  else if (has_fallback && fallback.find('$') == std::string::npos)
    append_value(into, {fallback, {}, quoted}, quoted);
  else
    append_unknown(into, fmt::format("${} is not set in the script", name), "$" + name);
}

ExpandedWord ShellLexer::word(const Variables& variables) {
  ExpandedWord result;
  result.words.emplace_back();
  bool in_double = false;
  while (!at_end()) {
    const char c = peek();
    if (!in_double && ends_word(c)) break;
    next();
    if (c == '\\') {
      if (at_end()) break;
      if (peek() == '\n' || (peek() == '\r' && peek(1) == '\n')) {
        while (next() != '\n') {
        }
        continue;
      }
      if (!in_double && (peek() == ' ' || peek() == '\t')) {
        std::size_t ahead = 0;
        while (peek(ahead) == ' ' || peek(ahead) == '\t') ++ahead;
        blank_after_backslash_ = blank_after_backslash_ || peek(ahead) == '\n';
      }
      if (in_double && std::string_view("\"\\$`").find(peek()) == std::string_view::npos)
        append(result, "\\");
      const char escaped = next();
      append(result, {&escaped, 1});
      result.words.back().quoted = true;
    } else if (c == '"') {
      in_double = !in_double;
      result.words.back().quoted = true;
    } else if (c == '\'' && !in_double) {
      append(result, until_closing('\'', '\''));
      result.words.back().quoted = true;
    } else if (c == '$') {
      expansion(in_double, variables, result);
    } else if (c == '`') {
      const std::string inner = until_closing('`', '`');
      append_unknown(result, fmt::format("`{}` is not run", inner.substr(0, 60)), "`" + inner + "`");
    } else {
      append(result, {&c, 1});
    }
  }
  return result;
}

}  // namespace ringside
