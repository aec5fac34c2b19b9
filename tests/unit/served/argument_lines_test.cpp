#include "served/argument_lines.hpp"

#include "served/python_pairs.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

LoggedArguments after(std::initializer_list<const char*> lines) {
  LoggedArguments arguments;
  for (const char* line : lines) take_arguments(line, arguments);
  return arguments;
}

}  // namespace

TEST_CASE("SGLang's server_args give layout, graphs and drafts") {
  const LoggedArguments arguments =
      after({"[2026-03-21 03:31:56] INFO engine.py:177: server_args=ServerArgs(model_path='org/Model', "
             "dtype='auto', "
             "quantization='fp8', kv_cache_dtype='fp8_e4m3', max_running_requests=None, tp_size=8, "
             "dp_size=8, pp_size=1, "
             "ep_size=8, enable_dp_attention=True, attention_backend='fa3', speculative_algorithm='EAGLE', "
             "speculative_draft_model_path='org/Draft', speculative_num_steps=3, speculative_eagle_topk=1, "
             "speculative_num_draft_tokens=4, disable_cuda_graph=False, cuda_graph_bs=[1, 2, 4, 80], "
             "json_model_override_args='{\"a\": [1, 2], \"b\": \"x, y\"}', moe_a2a_backend='deepep')",
             "[2026-03-21 03:32:30 TP0] max_total_num_tokens=421024, chunked_prefill_size=8192, "
             "max_prefill_tokens=16384, "
             "max_running_requests=48, context_len=163840"});
  CHECK(arguments.server == "SGLang");
  CHECK(arguments.model == "org/Model");
  CHECK(arguments.tensor_parallel == 8);
  CHECK(arguments.data_parallel == 8);
  CHECK(arguments.expert_parallel == 8);
  CHECK(arguments.data_attention == true);
  CHECK(arguments.graphs == true);
  CHECK(arguments.graph_batch == 80);
  CHECK(arguments.quantization == "fp8");
  CHECK(arguments.weight_type.empty());
  CHECK(arguments.kv_type == "fp8_e4m3");
  CHECK(arguments.attention == "fa3");
  CHECK(arguments.speculation == true);
  CHECK(arguments.method == "EAGLE");
  CHECK(arguments.draft_model == "org/Draft");
  CHECK(arguments.draft_steps == 3);
  CHECK(arguments.draft_width == 1);
  CHECK(arguments.verify_rows == 4);
  CHECK(arguments.pool_tokens == 421024);
  CHECK(arguments.max_running == 48);
  CHECK(arguments.all.at("moe_a2a_backend") == "deepep");
}

TEST_CASE("a plain SGLang server says so, and what its log doesn't hold is not known") {
  CHECK(after({"server_args=ServerArgs(tp_size=2, speculative_algorithm=None)"}).speculation == false);
  const LoggedArguments arguments = after({"server_args=ServerArgs(model_path='m', tp_size=2, s"});
  CHECK(arguments.tensor_parallel == 2);
  CHECK_FALSE(arguments.speculation);
  CHECK_FALSE(arguments.data_parallel);
}

TEST_CASE("vLLM's lines of one start belong together") {
  const LoggedArguments arguments = after(
      {"(APIServer pid=1) INFO 09-04 10:58:13 [api_server.py:1839] vLLM API server version 0.11.0",
       "(APIServer pid=1) INFO 09-04 10:58:14 [utils.py:233] non-default args: {'model_tag': 'org/Model', "
       "'model': "
       "'org/Model', 'served_model_name': ['a', 'b'], 'tensor_parallel_size': 4, 'enable_expert_parallel': "
       "True, "
       "'max_num_seqs': 32, 'speculative_config': {'method': 'eagle3', 'model': 'org/Draft', "
       "'num_speculative_tokens': 3}}",
       "(EngineCore_DP0 pid=2) INFO 09-04 10:58:50 [core.py:123] Initializing a V1 LLM engine (v0.11.0) with "
       "config: "
       "model='org/Model', speculative_config=SpeculativeConfig(method='eagle3', model='org/Draft', "
       "num_spec_tokens=3), dtype=torch.bfloat16, tensor_parallel_size=4, pipeline_parallel_size=1, "
       "data_parallel_size=1, quantization=None, enforce_eager=False, kv_cache_dtype=auto, "
       "compilation_config={'level': 3, 'max_capture_size': 512, 'local_cache_dir': None}",
       "(EngineCore_DP0 pid=2) INFO 09-04 10:59:50 [kv_cache_utils.py:864] GPU KV cache size: 112,347 tokens",
       "(EngineCore_DP0 pid=2) INFO 09-04 10:59:50 [kv_cache_utils.py:868] Maximum concurrency for 98,304 "
       "tokens per "
       "request: 1.14x"});
  CHECK(arguments.server == "vLLM");
  CHECK(arguments.version == "0.11.0");
  CHECK(arguments.model == "org/Model");
  CHECK(arguments.tensor_parallel == 4);
  CHECK(arguments.data_parallel == 1);
  CHECK(arguments.expert_parallel == 4);
  CHECK(arguments.max_running == 32);
  CHECK(arguments.graphs == true);
  CHECK(arguments.graph_batch == 512);
  CHECK(arguments.weight_type == "bfloat16");
  CHECK(arguments.kv_type.empty());
  CHECK(arguments.method == "eagle3");
  CHECK(arguments.draft_model == "org/Draft");
  CHECK(arguments.draft_steps == 3);
  CHECK(arguments.verify_rows == 4);
  CHECK(arguments.pool_tokens == 112347);
}

TEST_CASE("what vLLM doesn't list among the arguments that differ from the defaults has the default") {
  const LoggedArguments arguments = after({"non-default args: {'model': 'm', 'enforce_eager': True}"});
  CHECK(arguments.tensor_parallel == 1);
  CHECK(arguments.speculation == false);
  CHECK(arguments.graphs == false);
}

TEST_CASE("a start that failed leaves nothing behind for the next one") {
  const LoggedArguments arguments =
      after({"non-default args: {'model': 'm', 'speculative_config': {'method': 'mtp', "
             "'num_speculative_tokens': 2}}",
             "non-default args: {'model': 'm'}"});
  CHECK(arguments.speculation == false);
  CHECK(arguments.method.empty());
  CHECK_FALSE(arguments.draft_steps);
}

TEST_CASE("the engine before V1 names its drafts in several ways") {
  CHECK(after({"args: Namespace(model='m', tensor_parallel_size=2, speculative_model='d', "
               "num_speculative_tokens=5, "
               "enforce_eager=False)"})
            .draft_steps == 5);
  CHECK(after({"Initializing an LLM engine (v0.6.3) with config: model='m', "
               "speculative_config=SpeculativeConfig(draft_model='d', num_spec_tokens=4), tokenizer='m'"})
            .draft_steps == 4);
  const LoggedArguments off = after({"args: Namespace(model='m', speculative_config=None)"});
  CHECK(off.speculation == false);
}

TEST_CASE("other lines say nothing of arguments") {
  LoggedArguments arguments;
  for (const char* line :
       {"server_args=ServerArgs(", "with config: x", "GPU KV cache", "max_total_num_tokens=x", ""})
    CHECK(take_arguments(line, arguments) == ArgumentLine::none);
  CHECK(arguments.empty());
}

TEST_CASE("a Python text that is cut off or broken gives what it has") {
  CHECK(python_pairs("a=1, b='x, y', c={'d': [1, 2)}, e=3) f=4").size() == 4);
  CHECK(python_pairs("'a': 1, \"b\": {'c': 2}}").size() == 2);
  CHECK(python_pairs("a=1, b='x").size() == 2);
  CHECK(python_pairs("a='\\").size() == 1);
  CHECK(python_pairs("=").empty());
  CHECK(python_pairs("'").empty());
  CHECK(python_string("'it\\'s'") == "it's");
  CHECK(python_numbers("[1, 2, x, 80]") == std::vector<double>{1, 2, 80});
}
