#pragma once

#include "trace/core/pipeline_toml.hpp"
#include "trace/sglang/launch.hpp"

namespace ringside {

// A pipeline of the shape of a server's, small enough to follow: the class Wrapper lacks the hook, Inner has
// it.
inline Pipeline sample_pipeline(const std::string& dispatch = R"(
[[procedure]]
name = "dispatch"
step = [
  {at = "dispatch.py:39", in = "init_new", check = "state.expert_location_metadata is not None"},
  {at = "dispatch.py:42", in = "init_new", guard = "args.ep_dispatch_algorithm is None", leave = "nothing"},
]
)",
                                const std::string& more = "") {
  return read_pipeline(ScenarioText{"sample", "sample.toml", R"(
kind = "init-pipeline"
title = "Sample"
entry = "launch"
flags = [
  {names = ["--model-path", "--model"]},
  {names = ["--tp-size", "--tp"]},
  {names = ["--ep-size", "--expert-parallel-size"]},
  {names = ["--moe-a2a-backend"], choices = "['none', 'ring', 'star']"},
  {names = ["--moe-dense-tp-size"]},
  {names = ["--enable-eplb"], takes = "true"},
  {names = ["--cuda-graph-bs"], takes = "list"},
  {names = ["--speculative-algorithm"]},
]
class = [
  {name = "Wrapper", at = "models/wrapper.py:10", hook = "no", sites = [{guard = "state.moe_a2a_backend != 'none'", frames = [{at = "models/inner.py:7", in = "forward"}]}]},
  {name = "Inner", at = "models/inner.py:3", hook = "yes", sites = [{guard = "state.moe_a2a_backend != 'none'", frames = [{at = "models/inner.py:7", in = "forward"}]}]},
]
[fields]
model_path = "None"
tp_size = "1"
ep_size = "1"
moe_a2a_backend = "'none'"
enable_eplb = "False"
ep_dispatch_algorithm = "None"
speculative_algorithm = "None"
mem_fraction_static = "None"
[[procedure]]
name = "launch"
step = [
  {at = "args.py:1", in = "args", worker = "main", call = "args"},
  {at = "scheduler.py:1", in = "start", worker = "target", call = "runner"},
  {at = "scheduler.py:2", in = "start", guard = "args.speculative_algorithm is not None", worker = "draft", call = "runner"},
]
[[procedure]]
name = "args"
step = [{at = "args.py:2", in = "args", guard = "args.moe_a2a_backend != 'none'", set = "args.ep_size", to = "args.tp_size"}]
[[procedure]]
name = "runner"
step = [
  {at = "runner.py:1", in = "init", set = "state.moe_a2a_backend", to = "args.moe_a2a_backend"},
  {at = "location.py:5", in = "from_model_config", guard = "not worker.draft", set = "state.expert_location_config", to = "'present' if class.has_hook else None"},
  {at = "runner.py:2", in = "init", guard = "not worker.draft", set = "state.expert_location_metadata", to = "'present' if state.expert_location_config is not None else None"},
  {at = "runner.py:3", in = "init", memory = "the pool"},
  {at = "runner.py:4", in = "init", forward = "warm-up"},
]
)" + dispatch + more});
}

inline Launch sample_launch(const std::string& architecture, const std::string& backend) {
  Launch launch;
  launch.model.name = architecture;
  launch.model.architecture = architecture;
  launch.args["tp_size"] = 4;
  launch.args["moe_a2a_backend"] = backend;
  return launch;
}

}  // namespace ringside
