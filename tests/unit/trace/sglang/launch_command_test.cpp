#include "trace/sglang/launch_command.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "support/catch.hpp"
#include "unit/trace/core/sample_pipeline.hpp"

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

TEST_CASE("a form feed or a vertical tab is a letter of a word, as in bash") {
  const Launch launch = read("\v\npython -m sglang.launch_server --model-path a\fb --tp 2 \v");
  CHECK(launch.args.at("model_path") == Value("a\fb"));
  CHECK(launch.args.at("tp_size") == Value(2));
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
