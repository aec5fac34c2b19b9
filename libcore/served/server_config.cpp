#include "served/server_config.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "base/text.hpp"

namespace ringside {

namespace {

std::string_view without_comment(std::string_view line) {
  char quote = '\0';
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quote != '\0') {
      if (line[i] == quote) quote = '\0';
    } else if (line[i] == '"' || line[i] == '\'') {
      quote = line[i];
    } else if (line[i] == '#' && (i == 0 || line[i - 1] == ' ')) {
      return line.substr(0, i);
    }
  }
  return line;
}

std::string scalar(std::string_view text) {
  text = trim(text);
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front())
    text = text.substr(1, text.size() - 2);
  return std::string(text);
}

void add_values(std::string_view text, std::vector<ShellWord>& words) {
  if (text.starts_with('[') && text.ends_with(']')) {
    for (const std::string& item : split(text.substr(1, text.size() - 2), ','))
      if (!trim(item).empty()) words.push_back({scalar(item), {}, true});
  } else {
    words.push_back({scalar(text), {}, true});
  }
}

}  // namespace

std::vector<ShellWord> parse_server_config(const std::string& text, const std::string& origin,
                                           Withheld& withheld) {
  std::vector<ShellWord> words;
  int number = 0;
  for (const std::string& raw : split(text, '\n')) {
    ++number;
    const std::string_view line = without_comment(raw);
    const std::string_view content = trim(line);
    if (content.empty() || content == "---") continue;
    if (content.starts_with("- ")) {
      add_values(content.substr(2), words);
      continue;
    }
    const std::size_t colon = content.find(':');
    if (colon == std::string_view::npos || colon == 0 || line.front() == ' ' || line.front() == '\t')
      throw UsageError(fmt::format("{}:{}: 'flag: value' was expected", origin, number));
    std::string name = scalar(content.substr(0, colon));
    for (char& c : name)
      if (c == '_') c = '-';
    const std::string_view value = trim(content.substr(colon + 1));
    const std::string plain = scalar(value);
    if (plain == "false" || plain == "False" || plain == "null" || plain == "~") continue;
    words.push_back({"--" + name, {}, true});
    if (value.empty() || plain == "true" || plain == "True") continue;
    add_values(value, words);
  }
  std::vector<std::string> texts;
  for (const ShellWord& word : words) texts.push_back(word.text);
  texts = mask_words(std::move(texts), withheld);
  for (std::size_t i = 0; i < texts.size(); ++i) words[i].text = std::move(texts[i]);
  return words;
}

std::vector<ShellWord> read_server_config(const std::string& path, Withheld& withheld) {
  return parse_server_config(read_text_file(path), path, withheld);
}

}  // namespace ringside
