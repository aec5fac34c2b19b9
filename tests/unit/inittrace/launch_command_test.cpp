#include "inittrace/launch_command.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "inittrace/server_config.hpp"
#include "sample_pipeline.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

Launch read(const std::string& script) {
  return read_launch(find_server_command(read_shell_script(script), "launch.sh"), sample_pipeline());
}

bool has_finding(const Launch& launch, const std::string& kind, const std::string& subject) {
  return std::any_of(launch.findings.begin(), launch.findings.end(), [&](const Finding& finding) {
    return finding.kind == kind && finding.subject == subject;
  });
}

}  // namespace

TEST_CASE("flags are read in all their forms") {
  const Launch launch = read(
      "NCCL_DEBUG=INFO CUDA_VISIBLE_DEVICES=0,1 python3 -m sglang.launch_server --model some/model --tp 8 "
      "--expert-parallel-size=4 --moe-a2a ring --enable-eplb --cuda-graph-bs 1 2 4");
  CHECK(launch.args.at("model_path") == Value("some/model"));
  CHECK(launch.args.at("tp_size") == Value(8));
  CHECK(launch.args.at("ep_size") == Value(4));
  CHECK(launch.args.at("moe_a2a_backend") == Value("ring"));  // an unambiguous beginning of the name
  CHECK(launch.args.at("enable_eplb") == Value(true));
  CHECK(launch.args.at("cuda_graph_bs") == Value(Value::List{1, 2, 4}));
  CHECK(launch.environment.at("NCCL_DEBUG") == Value("INFO"));
  CHECK(launch.findings.empty());
}

TEST_CASE("the server is found behind other commands") {
  CHECK(read("sglang serve --model-path m --tp 2").args.at("tp_size") == Value(2));
  CHECK(read("nohup env A=1 python -m sglang.launch_server --tp 2 > log 2>&1 &").args.at("tp_size") ==
        Value(2));
  CHECK(read("nohup env A=1 python -m sglang.launch_server --tp 2").environment.at("A") == Value(1));
  CHECK(read("docker run -e B=2 image bash -c 'python -m sglang.launch_server --tp 2'").args.at("tp_size") ==
        Value(2));
  CHECK_THROWS_WITH(read("ls -l"),
                    Catch::Matchers::ContainsSubstring("launch.sh: no command starts a server"));
}

TEST_CASE("a script is followed: continued lines, comments, variables, arrays") {
  const Launch launch = read(
      "#!/bin/bash\n"
      "set -e\n"
      "MODEL=org/model   # the model\n"
      "ARGS=(--moe-a2a-backend ring\n  # not now: --enable-eplb\n  --ep-size 2)\n"
      "export SGLANG_X=1\n"
      "python -m sglang.launch_server \\\n"
      "  --model-path \"$MODEL\" \\\n"
      "  --tp ${TP:-8} \\\n"
      "  \"${ARGS[@]}\" 2>&1 | tee server.log\n");
  CHECK(launch.args.at("model_path") == Value("org/model"));
  CHECK(launch.args.at("tp_size") == Value(8));
  CHECK(launch.args.at("moe_a2a_backend") == Value("ring"));
  CHECK(launch.args.at("ep_size") == Value(2));
  CHECK_FALSE(launch.args.contains("enable_eplb"));
  CHECK(launch.environment.at("SGLANG_X") == Value(1));
}

TEST_CASE("a variable that can't be known makes its flag unknown") {
  const Launch launch = read("python -m sglang.launch_server --tp $TP --moe-a2a-backend ring");
  REQUIRE(launch.args.at("tp_size").is_unknown());
  CHECK(launch.args.at("tp_size").why() == "$TP is not set in the script");
  CHECK(has_finding(launch, "unknown-value", "--tp-size"));
  CHECK(launch.args.at("moe_a2a_backend") == Value("ring"));
}

TEST_CASE("a variable that is set under a condition is not known either") {
  const Launch launch =
      read("TP=8\nif [ -n \"$X\" ]; then\n  TP=4\nfi\npython -m sglang.launch_server --tp $TP\n");
  CHECK(launch.args.at("tp_size").is_unknown());
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

TEST_CASE("a form feed or a vertical tab is a letter of a word, as in bash") {
  const Launch launch = read("\v\npython -m sglang.launch_server --model-path a\fb --tp 2 \v");
  CHECK(launch.args.at("model_path") == Value("a\fb"));
  CHECK(launch.args.at("tp_size") == Value(2));
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

TEST_CASE("flags and values that the version does not have are findings") {
  const Launch launch = read("python -m sglang.launch_server --moe-a2a-backent ring --moe-a2a-backend rang");
  CHECK(has_finding(launch, "unknown-flag", "--moe-a2a-backent"));
  CHECK(has_finding(launch, "refused-argument", "--moe-a2a-backend"));
  REQUIRE(launch.refused.size() == 2);
  CHECK(launch.refused[0].message == "unrecognized arguments: --moe-a2a-backent");
  CHECK(launch.refused[1].field == "moe_a2a_backend");
  CHECK(read("python -m sglang.launch_server --tp").refused.front().message ==
        "argument --tp: expected one argument");
  CHECK(read("python -m sglang.launch_server --moe 1").findings.size() == 1);  // --moe begins two flags
}

TEST_CASE("a configuration file is read, and the command line overrides it") {
  const std::vector<ShellWord> words = parse_server_config(
      "# server\ntp-size: 8\nenable_eplb: true\nmoe-a2a-backend: 'ring' # why\ntrust: false\n", "c.yaml");
  std::vector<std::string> texts;
  for (const ShellWord& word : words) texts.push_back(word.text);
  CHECK(texts == std::vector<std::string>{"--tp-size", "8", "--enable-eplb", "--moe-a2a-backend", "ring"});
  CHECK_THROWS_WITH(parse_server_config("tp-size\n", "c.yaml"),
                    Catch::Matchers::ContainsSubstring("c.yaml:1"));
}

TEST_CASE("a variable of an outer script stays unknown in the script that it is part of") {
  const Launch launch = read(
      "docker exec c bash -c \"python -m sglang.launch_server --tp $TP --ep-size 4 --moe-a2a-backend "
      "$(pick)\"");
  CHECK(launch.args.at("tp_size").is_unknown());
  CHECK(launch.args.at("ep_size") == Value(4));
  CHECK(launch.args.at("moe_a2a_backend").is_unknown());
  CHECK(launch.refused.empty());
}

TEST_CASE("what a command prints is one unknown value, though its variable is used without quotes") {
  const Launch launch = read(
      "TP=$(nvidia-smi -L | wc -l)\npython -m sglang.launch_server --model-path m --tp $TP --ep-size 4\n");
  CHECK(launch.args.at("tp_size").is_unknown());
  CHECK(launch.args.at("ep_size") == Value(4));
  CHECK(launch.refused.empty());
}

TEST_CASE("a flag that may not be there at all refuses nothing for certain") {
  const Launch launch = read(
      "if test -n \"$X\"; then EXTRA=\"--no-such-flag\"; fi\npython -m sglang.launch_server --tp 8 $EXTRA\n");
  CHECK(launch.refused.empty());
  CHECK(launch.args.at("tp_size") == Value(8));
}
