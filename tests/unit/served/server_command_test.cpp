#include "served/server_command.hpp"

#include "base/errors.hpp"
#include "served/server_config.hpp"
#include "support/catch.hpp"

using namespace ringside;

TEST_CASE("a server's command is found with its place, arguments and environment") {
  const ServerCommand command = find_server_command(
      read_shell_script(
          "export A=1\ncd /x\nB=2 nohup env C=3 python3 -m sglang.launch_server --tp 2 \"$@\"\n"),
      "launch.sh");
  CHECK(command.line == 3);
  REQUIRE(command.arguments.size() >= 2);
  CHECK(command.arguments[0].text == "--tp");
  CHECK(command.arguments[1].text == "2");
  CHECK(command.open_ended);
  std::vector<std::string> names;
  for (const auto& [name, value] : command.environment) names.push_back(name + "=" + value.text);
  CHECK(names == std::vector<std::string>{"A=1", "B=2", "C=3"});
  CHECK_THROWS_WITH(find_server_command(read_shell_script("ls -l\n"), "launch.sh"),
                    Catch::Matchers::ContainsSubstring("launch.sh: no command starts a server"));
}

TEST_CASE("a line that is broken off by a missing backslash is pointed out") {
  const ShellScript script =
      read_shell_script("python -m sglang.launch_server \\\n  --tp 8\n  --moe-a2a-backend ring\n");
  REQUIRE(script.broken_lines.size() == 1);
  CHECK(script.broken_lines.front().line == 3);
  CHECK(script.broken_lines.front().option == "--moe-a2a-backend");
  CHECK(script.broken_lines.front().why == "line 2 does not end in a backslash");
  const ShellScript blank = read_shell_script("python -m sglang.launch_server \\ \n  --tp 8\n");
  REQUIRE(blank.broken_lines.size() == 1);
  CHECK(blank.broken_lines.front().why == "line 1 has blanks after its backslash");
}

TEST_CASE("variables that double fill neither memory nor time") {
  std::string quoted = "A=xxxxxxxxxxxxxxxx\n", split = "A='x x'\n", array = "A=(x)\n";
  for (int i = 0; i < 64; ++i) {
    quoted += "A=\"$A$A\"\n";
    split += "A=\"$A $A\"\n";
    array += "A=(\"${A[@]}\" \"${A[@]}\")\n";
  }
  const std::string server = "python -m sglang.launch_server --tp 2 --model-path m --tokenizer-path ";
  const auto bytes_of = [](const std::string& text) {
    std::size_t bytes = 0;
    for (const ShellCommand& command : read_shell_script(text).commands)
      for (const ShellWord& word : command.words) bytes += word.text.size();
    return bytes;
  };
  CHECK(bytes_of(quoted + server + "\"$A\"") <= std::size_t{2} << 20);
  CHECK(bytes_of(split + server + "$A") <= std::size_t{2} << 20);
  CHECK(bytes_of(array + server + "\"${A[@]}\"") <= std::size_t{2} << 20);
}

TEST_CASE("a server's configuration file is read as words of its command") {
  Withheld withheld;
  const std::vector<ShellWord> words = parse_server_config(
      "# server\ntp-size: 8\nenable_eplb: true\nmoe-a2a-backend: 'ring' # why\ntrust: false\n"
      "api_key: hunter2\n",
      "c.yaml", withheld);
  std::vector<std::string> texts;
  for (const ShellWord& word : words) texts.push_back(word.text);
  CHECK(texts == std::vector<std::string>{"--tp-size", "8", "--enable-eplb", "--moe-a2a-backend", "ring",
                                          "--api-key", "***"});
  CHECK(withheld.names == std::vector<std::string>{"--api-key"});
  CHECK_THROWS_WITH(parse_server_config("tp-size\n", "c.yaml", withheld),
                    Catch::Matchers::ContainsSubstring("c.yaml:1"));
}
