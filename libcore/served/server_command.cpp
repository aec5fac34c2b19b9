#include "served/server_command.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "base/errors.hpp"

namespace ringside {

namespace {

struct Starter {
  std::string_view word;
  std::string_view server;
};

// Modules behind `python -m`, scripts, and commands with `serve` behind them.
constexpr std::array<Starter, 5> kModules = {{{"sglang.launch_server", "sglang"},
                                              {"sglang.srt.entrypoints.http_server", "sglang"},
                                              {"sglang.launch_server_llavavid", "sglang"},
                                              {"vllm.entrypoints.openai.api_server", "vllm"},
                                              {"vllm.entrypoints.api_server", "vllm"}}};
constexpr std::array<Starter, 2> kCommands = {{{"sglang", "sglang"}, {"vllm", "vllm"}}};

// Where the arguments of a server begin in a command; 0: it starts none.
struct Start {
  std::size_t at = 0;
  std::string_view server;
};

std::string_view last_part(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

Start arguments_start(const ShellCommand& command) {
  const auto& words = command.words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view name = last_part(words[i].text);
    if (name == "launch_server.py") return {i + 1, "sglang"};
    for (const Starter& module : kModules)
      if (words[i].text == module.word && i > 0) return {i + 1, module.server};
    for (const Starter& starter : kCommands)
      if (name == starter.word && i + 1 < words.size() && words[i + 1].text == "serve")
        return {i + 2, starter.server};
  }
  return {};
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
         word.text.find("sglang serve") != std::string::npos ||
         word.text.find("vllm serve") != std::string::npos ||
         word.text.find("vllm.entrypoints") != std::string::npos))
      return &word;
  return nullptr;
}

bool find_in(const ShellScript& script, ServerCommand& server, int nesting) {
  for (const ShellCommand& command : script.commands) {
    const Start start = arguments_start(command);
    if (start.at > 0) {
      server.server = start.server;
      server.line = command.line;
      server.arguments.assign(command.words.begin() + static_cast<std::ptrdiff_t>(start.at),
                              command.words.end());
      server.open_ended = command.open_ended;
      for (const auto& [name, value] : script.exported) server.environment.emplace_back(name, value);
      take_environment(command, start.at, server);
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
    throw UsageError(
        fmt::format("{}: no command starts a server (python -m sglang.launch_server ..., sglang serve ..., "
                    "or vllm serve ...)",
                    origin));
  mask_values(server);
  return server;
}

}  // namespace ringside
