#include "served/server_command.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "base/errors.hpp"

namespace ringside {

namespace {

constexpr std::array<std::string_view, 3> kModules = {
    "sglang.launch_server", "sglang.srt.entrypoints.http_server", "sglang.launch_server_llavavid"};

std::string_view last_part(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

// The index of the first word after the server's name; 0: this command starts none.
std::size_t arguments_start(const ShellCommand& command) {
  const auto& words = command.words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view name = last_part(words[i].text);
    if (name == "launch_server.py") return i + 1;
    for (const std::string_view module : kModules)
      if (words[i].text == module && i > 0) return i + 1;
    if (name == "sglang" && i + 1 < words.size() && words[i + 1].text == "serve") return i + 2;
  }
  return 0;
}

void take_environment(const ShellCommand& command, std::size_t end, ServerCommand& server) {
  for (const auto& assignment : command.assignments) server.environment.push_back(assignment);
  bool after_env = false;
  for (std::size_t i = 0; i < end; ++i) {
    const ShellWord& word = command.words[i];
    const std::size_t equals = word.text.find('=');
    const bool named = i > 0 && (command.words[i - 1].text == "-e" || command.words[i - 1].text == "--env");
    after_env = after_env || last_part(word.text) == "env";
    if (equals == std::string::npos || equals == 0 || word.text[0] == '-' || (!named && !after_env)) continue;
    ShellWord value = word;
    value.text = word.text.substr(equals + 1);
    server.environment.emplace_back(word.text.substr(0, equals), value);
  }
}

// A command that is one word of another: bash -c "python -m sglang.launch_server ...".
const ShellWord* inner_script(const ShellCommand& command) {
  for (const ShellWord& word : command.words)
    if (word.text.find(' ') != std::string::npos &&
        (word.text.find("sglang.launch_server") != std::string::npos ||
         word.text.find("sglang serve") != std::string::npos))
      return &word;
  return nullptr;
}

bool find_in(const ShellScript& script, ServerCommand& server, int nesting) {
  for (const ShellCommand& command : script.commands) {
    const std::size_t start = arguments_start(command);
    if (start > 0) {
      server.line = command.line;
      server.arguments.assign(command.words.begin() + static_cast<std::ptrdiff_t>(start),
                              command.words.end());
      server.open_ended = command.open_ended;
      for (const auto& [name, value] : script.exported) server.environment.emplace_back(name, value);
      take_environment(command, start, server);
      return true;
    }
    const ShellWord* inner = nesting < 3 ? inner_script(command) : nullptr;
    if (inner && find_in(read_shell_script(inner->text), server, nesting + 1)) {
      server.line = command.line;
      // What is not known of the inner script may stand anywhere in it, unless it is there to be seen.
      if (inner->unknown && inner->text.find_first_of("$`") == std::string::npos)
        for (ShellWord& word : server.arguments) word.unknown = inner->unknown;
      return true;
    }
  }
  return false;
}

// What the script did not show as a secret: `--api-key $KEY`.
void mask_values(ServerCommand& server) {
  std::vector<std::string> words;
  for (const ShellWord& word : server.arguments) words.push_back(word.text);
  words = mask_words(std::move(words), server.withheld);
  for (std::size_t i = 0; i < words.size(); ++i) server.arguments[i].text = std::move(words[i]);
  for (auto& [name, value] : server.environment)
    value.text = mask_words({name + "=" + value.text}, server.withheld).front().substr(name.size() + 1);
}

}  // namespace

ServerCommand find_server_command(const ShellScript& script, const std::string& origin) {
  ServerCommand server;
  if (!find_in(script, server, 0))
    throw UsageError(fmt::format(
        "{}: no command starts a server (python -m sglang.launch_server ..., or sglang serve ...)", origin));
  mask_values(server);
  return server;
}

}  // namespace ringside
