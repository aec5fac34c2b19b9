#include "served/shell_script.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "base/secrets.hpp"
#include "served/shell_reader.hpp"

namespace ringside {

namespace {

constexpr std::size_t kMaxCommands = 20000;
constexpr std::size_t kMaxWords = 20000;  // of a command

const std::set<std::string_view> kOpeners = {"if", "for", "while", "until", "case"};
const std::set<std::string_view> kClosers = {"fi", "done", "esac"};
const std::set<std::string_view> kWordsBefore = {"if",    "then", "else", "elif", "do",  "while",
                                                 "until", "{",    "}",    "!",    "time"};

// The length of NAME in NAME=value or NAME+=value at the start of a word; 0: it is no assignment.
std::size_t assignment_name(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
    ++end;
  if (end == 0 || std::isdigit(static_cast<unsigned char>(text[0])) || end >= text.size()) return 0;
  if (text[end] == '=' || text.substr(end, 2) == "+=") return end;
  return 0;
}

class ScriptReader {
 public:
  explicit ScriptReader(std::string_view text) : lexer_(text) {}

  ShellScript read() {
    while (!lexer_.at_end() && script_.commands.size() < kMaxCommands) step();
    finish_command();
    for (const std::string& name : exported_)
      if (const auto found = variables_.find(name); found != variables_.end() && found->second.size() == 1)
        script_.exported[name] = found->second.front();
    return std::move(script_);
  }

 private:
  void step() {
    lexer_.skip_blanks();
    if (lexer_.at_end()) return;
    const char c = lexer_.peek();
    if (c == '\n') {
      end_line();
      lexer_.next();
      lexer_.start_line();
    } else if (c == ';' || c == '|' || c == '&') {
      if (c == '&' && lexer_.peek(1) == '>') {
        redirect();
        return;
      }
      lexer_.next();
      finish_command();
      previous_complete_ = false;
    } else if (c == '<' || c == '>') {
      redirect();
    } else if (c == '(' || c == ')') {
      lexer_.next();
      finish_command();
    } else {
      word();
    }
  }

  void end_line() {
    const bool blank = lexer_.saw_blank_after_backslash();
    const bool had_words = !command_.words.empty() || !command_.assignments.empty();
    if (had_words) {
      last_line_ = lexer_.line();
      why_ = blank ? fmt::format("line {} has blanks after its backslash", last_line_)
                   : fmt::format("line {} does not end in a backslash", last_line_);
    }
    finish_command();
    previous_complete_ = had_words || previous_complete_;
  }

  // Skips `2> file`, `> file`, `&> file`, `<<< word` and `2>&1`.
  void redirect() {
    // A descriptor right before the operator is no argument.
    if (!command_.words.empty() && lexer_.follows_word()) {
      const std::string& last = command_.words.back().text;
      if (!command_.words.back().quoted && last.size() == 1 &&
          std::isdigit(static_cast<unsigned char>(last[0])))
        command_.words.pop_back();
    }
    while (lexer_.peek() == '<' || lexer_.peek() == '>' || lexer_.peek() == '&') lexer_.next();
    while (lexer_.peek() == ' ' || lexer_.peek() == '\t') lexer_.next();
    if (!lexer_.at_end() && lexer_.peek() != '\n') lexer_.word(variables_);
  }

  void word() {
    const int line = lexer_.line();
    const bool first = command_.words.empty();
    ExpandedWord expanded = lexer_.word(variables_);
    ShellWord& head = expanded.words.front();
    if (first && command_.assignments.empty()) command_.line = line;
    if (first && !head.quoted && kWordsBefore.contains(head.text)) {
      note_block(head.text);
      return;
    }
    const std::size_t name =
        expanded.words.size() == 1 && (first || declares()) ? assignment_name(head.text) : 0;
    if (name > 0) {
      assign(head.text.substr(0, name), head, name);
      return;
    }
    if (first && command_.assignments.empty() && head.text.starts_with("-") && previous_complete_)
      script_.broken_lines.push_back({line, head.text, why_});
    if (first) note_block(head.text);
    command_.open_ended = command_.open_ended || expanded.open_ended;
    for (ShellWord& piece : expanded.words)
      if ((!piece.text.empty() || piece.quoted || piece.unknown) && command_.words.size() < kMaxWords)
        command_.words.push_back(std::move(piece));
  }

  bool declares() const {
    if (command_.words.empty()) return false;
    const std::string& text = command_.words.front().text;
    return text == "export" || text == "declare" || text == "local" || text == "readonly";
  }

  void note_block(const std::string& word) {
    if (kOpeners.contains(word)) ++depth_;
    if (kClosers.contains(word)) depth_ = std::max(0, depth_ - 1);
  }

  void assign(const std::string& name, const ShellWord& head, std::size_t length) {
    const bool adds = head.text[length] == '+';
    ShellWord value = head;
    value.text = head.text.substr(length + (adds ? 2 : 1));
    std::vector<ShellWord> values = {value};
    if (value.text.empty() && lexer_.peek() == '(') values = array();
    if (depth_ > 0)
      for (ShellWord& one : values) one.unknown = fmt::format("${} is set under a condition", name);
    if (adds) {
      std::vector<ShellWord> old = variables_[name];
      old.insert(old.end(), values.begin(), values.end());
      if (old.size() > kMaxWords) old.resize(kMaxWords);
      values = std::move(old);
    }
    command_.assignments.emplace_back(name, values.size() == 1 ? values.front() : ShellWord{});
    pending_.emplace_back(name, std::move(values));
    if (declares() && command_.words.front().text == "export") exported_.insert(name);
  }

  std::vector<ShellWord> array() {
    std::vector<ShellWord> values;
    lexer_.next();
    while (!lexer_.at_end() && lexer_.peek() != ')' && values.size() < kMaxWords) {
      lexer_.skip_blanks();
      if (lexer_.peek() == '\n' || std::string_view(";&|<>(").find(lexer_.peek()) != std::string_view::npos) {
        if (!lexer_.at_end()) lexer_.next();
        continue;
      }
      if (lexer_.at_end() || lexer_.peek() == ')') break;
      for (ShellWord& word : lexer_.word(variables_).words) values.push_back(std::move(word));
    }
    if (!lexer_.at_end()) lexer_.next();
    return values;
  }

  void finish_command() {
    const bool alone = command_.words.empty() || declares();
    if (alone)
      for (auto& [name, values] : pending_) variables_[name] = std::move(values);
    if (!command_.words.empty() && command_.words.front().text == "export")
      for (std::size_t i = 1; i < command_.words.size(); ++i) exported_.insert(command_.words[i].text);
    if (!command_.words.empty() && !declares()) script_.commands.push_back(std::move(command_));
    command_ = ShellCommand{};
    command_.line = lexer_.line();
    pending_.clear();
  }

  ShellLexer lexer_;
  ShellScript script_;
  ShellCommand command_;
  std::vector<std::pair<std::string, std::vector<ShellWord>>> pending_;
  std::map<std::string, std::vector<ShellWord>> variables_;
  std::set<std::string> exported_;
  int depth_ = 0;      // of if, for, while
  int last_line_ = 0;  // where the last command ended
  std::string why_;
  bool previous_complete_ = false;
};

}  // namespace

ShellScript read_shell_script(std::string_view text) {
  Withheld known_from_text;  // who records the text says so
  const std::string masked = mask_text(text, known_from_text);
  return ScriptReader(masked).read();
}

ShellScript shell_words(const std::vector<std::string>& given) {
  Withheld known_from_words;  // who records them says so
  const std::vector<std::string> words = mask_words(given, known_from_words);
  ShellScript script;
  ShellCommand command;
  for (const std::string& text : words) {
    const std::size_t name = command.words.empty() ? assignment_name(text) : 0;
    if (name > 0)
      command.assignments.emplace_back(text.substr(0, name), ShellWord{text.substr(name + 1), {}, true});
    else
      command.words.push_back({text, {}, true});
  }
  script.commands.push_back(std::move(command));
  return script;
}

}  // namespace ringside
