#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "served/shell_script.hpp"

namespace ringside {

// One word as it is being read: an unquoted expansion can make several of one.
struct ExpandedWord {
  std::vector<ShellWord> words;
  bool open_ended = false;
};

// Characters to words: quotes, backslashes and expansions.
class ShellLexer {
 public:
  explicit ShellLexer(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ >= text_.size(); }
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  char next();
  int line() const { return line_; }
  // Whether the character before this one belongs to a word.
  bool follows_word() const { return at_ > 0 && text_[at_ - 1] != ' ' && text_[at_ - 1] != '\t'; }

  // Skips blanks, continued lines and comments; stops before a newline or anything else.
  void skip_blanks();

  // Reads one word; the lexer stands at its first character.
  ExpandedWord word(const std::map<std::string, std::vector<ShellWord>>& variables);

  // Whether the line that just ended had a backslash with blanks behind it.
  bool saw_blank_after_backslash() const { return blank_after_backslash_; }
  void start_line() { blank_after_backslash_ = false; }

 private:
  void expansion(bool quoted, const std::map<std::string, std::vector<ShellWord>>& variables,
                 ExpandedWord& into);
  std::string until_closing(char open, char close);

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool blank_after_backslash_ = false;
};

}  // namespace ringside
