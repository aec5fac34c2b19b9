#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringside {

// A word of a command as the shell would pass it on; what it comes to may not be known.
struct ShellWord {
  std::string text;
  std::optional<std::string> unknown;  // why the text is not the whole truth: "$TP is not set in the script"
  bool quoted = false;                 // some of it was: it is no keyword and no operator
};

struct ShellCommand {
  int line = 1;
  std::vector<std::pair<std::string, ShellWord>> assignments;  // NAME=value before the command's name
  std::vector<ShellWord> words;
  bool open_ended = false;  // "$@" or the like: more words may follow from outside
};

struct ShellScript {
  std::vector<ShellCommand> commands;
  std::map<std::string, ShellWord> exported;  // by the end of the script
  // Lines that begin with an option although no command is open: the line before lacks its backslash.
  struct BrokenLine {
    int line = 0;        // that begins with the option
    std::string option;  // "--ep-size"
    std::string why;     // "line 4 does not end in a backslash"
  };
  std::vector<BrokenLine> broken_lines;
};

// Reads a launch script as far as that is possible without running it: quotes, comments, continued lines,
// variables and arrays that the script itself sets, exports. Nothing is expanded from this machine. Never
// fails: what it can't follow is unknown. Secrets are masked (base/secrets.hpp).
ShellScript read_shell_script(std::string_view text);

// The same for words that a shell has already split.
ShellScript shell_words(const std::vector<std::string>& words);

}  // namespace ringside
