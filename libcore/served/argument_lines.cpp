#include "served/argument_lines.hpp"

#include <algorithm>
#include <utility>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "served/line_numbers.hpp"
#include "served/python_pairs.hpp"

namespace ringside {
namespace {

constexpr std::string_view kSglang = "server_args=ServerArgs(";
constexpr std::string_view kVllmVersion = "vLLM API server version ";
constexpr std::string_view kVllmGiven = "non-default args: {";
constexpr std::string_view kVllmNamespace = "args: Namespace(";
constexpr std::string_view kVllmConfig = " with config: ";
constexpr std::string_view kVllmPool = "GPU KV cache size: ";
constexpr std::string_view kVllmConcurrency = "Maximum concurrency for ";
constexpr std::string_view kSglangPool = "max_total_num_tokens=";
constexpr std::string_view kSglangGraphs = "apture cuda graph bs ";

constexpr std::size_t kMaxValue = 400;  // bytes of an argument that is kept
constexpr double kMaxCount = 1e9;

using Names = std::initializer_list<std::string_view>;

// The arguments of one line, by name.
class Arguments {
 public:
  explicit Arguments(std::string_view text) : pairs_(python_pairs(text)) {}

  const std::vector<PythonPair>& pairs() const { return pairs_; }
  bool empty() const { return pairs_.empty(); }

  // The text of the first that is there and not None.
  std::optional<std::string> text(Names names) const {
    for (const std::string_view name : names) {
      for (const auto& [key, value] : pairs_)
        if (key == name && value != "None") return python_string(value);
    }
    return std::nullopt;
  }
  std::optional<int> count(Names names) const {
    const auto found = text(names);
    const auto value = found ? whole_number(*found) : std::nullopt;
    if (!value || *value < 1 || *value > kMaxCount) return std::nullopt;
    return static_cast<int>(*value);
  }
  std::optional<bool> truth(std::string_view name) const {
    const auto found = text({name});
    if (!found || (*found != "True" && *found != "False")) return std::nullopt;
    return *found == "True";
  }
  bool has(std::string_view name) const {
    return std::ranges::any_of(pairs_, [&](const PythonPair& pair) { return pair.first == name; });
  }

 private:
  std::vector<PythonPair> pairs_;
};

void keep_all(const Arguments& given, LoggedArguments& arguments) {
  for (const auto& [name, value] : given.pairs())
    arguments.all[name] = printable(python_string(value).substr(0, kMaxValue));
}

template <typename Target, typename Value>
void set(Target& target, std::optional<Value> value) {
  if (value) target = std::move(*value);
}

// "auto" is no type.
void set_type(std::string& target, std::optional<std::string> value) {
  if (!value || *value == "auto" || value->empty()) return;
  constexpr std::string_view kTorch = "torch.";
  target = value->starts_with(kTorch) ? value->substr(kTorch.size()) : *value;
}

void take_common(const Arguments& given, LoggedArguments& arguments) {
  set(arguments.model, given.text({"model_path", "model", "model_tag"}));
  set(arguments.tensor_parallel, given.count({"tp_size", "tensor_parallel_size"}));
  set(arguments.data_parallel, given.count({"dp_size", "data_parallel_size"}));
  set(arguments.pipeline_parallel, given.count({"pp_size", "pipeline_parallel_size"}));
  set(arguments.max_running, given.count({"max_running_requests", "max_num_seqs"}));
  set(arguments.quantization, given.text({"quantization"}));
  set_type(arguments.weight_type, given.text({"dtype"}));
  set_type(arguments.kv_type, given.text({"kv_cache_dtype"}));
  set_type(arguments.attention, given.text({"decode_attention_backend", "attention_backend"}));
  keep_all(given, arguments);
}

void take_sglang(const Arguments& given, LoggedArguments& arguments) {
  arguments = {};
  arguments.server = "SGLang";
  take_common(given, arguments);
  set(arguments.expert_parallel, given.count({"ep_size"}));
  set(arguments.data_attention, given.truth("enable_dp_attention"));
  if (const auto off = given.truth("disable_cuda_graph")) arguments.graphs = !*off;
  set(arguments.graph_batch, given.count({"cuda_graph_max_bs"}));
  if (const auto sizes = given.text({"cuda_graph_bs"})) {
    const std::vector<double> batches = python_numbers(*sizes);
    if (!batches.empty()) arguments.graph_batch = to_count(std::ranges::max(batches));
  }
  if (!given.has("speculative_algorithm")) return;
  const auto method = given.text({"speculative_algorithm"});
  arguments.speculation = method.has_value();
  if (!method) return;
  arguments.method = *method;
  set(arguments.draft_model, given.text({"speculative_draft_model_path"}));
  set(arguments.draft_steps, given.count({"speculative_num_steps"}));
  set(arguments.draft_width, given.count({"speculative_eagle_topk"}));
  set(arguments.verify_rows, given.count({"speculative_num_draft_tokens"}));
}

// "{'method': 'eagle3', 'num_speculative_tokens': 3}", "SpeculativeConfig(method='mtp', num_spec_tokens=3)",
// or the JSON of the command line.
void take_vllm_drafts(std::string_view text, LoggedArguments& arguments) {
  const std::size_t open = text.find_first_of("({");
  if (open == std::string_view::npos) return;
  const Arguments drafts(text.substr(open + 1));
  arguments.speculation = true;
  set(arguments.method, drafts.text({"method"}));
  set(arguments.draft_model, drafts.text({"model", "draft_model"}));
  set(arguments.draft_steps, drafts.count({"num_speculative_tokens", "num_spec_tokens"}));
}

void take_vllm(const Arguments& given, bool complete, LoggedArguments& arguments) {
  arguments.server = "vLLM";
  if (complete) {
    // What isn't listed among the arguments that differ from the defaults has the default.
    arguments.tensor_parallel = arguments.data_parallel = arguments.pipeline_parallel = 1;
    arguments.speculation = false;
    arguments.graphs = true;
  }
  take_common(given, arguments);
  if (const auto eager = given.truth("enforce_eager")) arguments.graphs = !*eager;
  if (given.truth("enable_expert_parallel").value_or(false))
    arguments.expert_parallel = arguments.tensor_parallel.value_or(1) * arguments.data_parallel.value_or(1);
  if (const auto compilation = given.text({"compilation_config"})) {
    for (const std::string_view name : {"max_cudagraph_capture_size'", "max_capture_size'"})
      if (const auto rows = number_after(*compilation, std::string(name) + ":"))
        arguments.graph_batch = to_count(*rows);
  }
  if (given.has("speculative_config") || given.has("speculative_model")) arguments.speculation = false;
  if (const auto drafts = given.text({"speculative_config"})) take_vllm_drafts(*drafts, arguments);
  if (const auto model = given.text({"speculative_model"})) {
    arguments.speculation = true;
    arguments.draft_model = *model;
    set(arguments.draft_steps, given.count({"num_speculative_tokens"}));
  }
  if (!arguments.speculation.value_or(false)) return;
  arguments.draft_width = 1;
  if (arguments.draft_steps) arguments.verify_rows = *arguments.draft_steps + 1;
}

std::string word_after(std::string_view line, std::string_view label, std::string_view ends) {
  const std::size_t at = line.find(label);
  if (at == std::string_view::npos) return "";
  const std::string_view rest = line.substr(at + label.size());
  return printable(rest.substr(0, std::min<std::size_t>(rest.find_first_of(ends), 60)));
}

ArgumentLine take_pool(std::string_view line, LoggedArguments& arguments) {
  const auto pool = number_after(line, kVllmPool);
  const auto context = number_after(line, kVllmConcurrency);
  const auto times = number_after(line, "tokens per request:");
  if (pool)
    arguments.pool_tokens = *pool;
  else if (context && times && !arguments.pool_tokens)
    arguments.pool_tokens = *context * *times;
  return ArgumentLine::more;
}

}  // namespace

std::vector<std::string> argument_texts() {
  std::vector<std::string> texts;
  for (const std::string_view text : {kSglang, kVllmVersion, kVllmGiven, kVllmNamespace, kVllmConfig,
                                      kVllmPool, kVllmConcurrency, kSglangPool, kSglangGraphs})
    texts.emplace_back(text);
  return texts;
}

ArgumentLine take_arguments(std::string_view line, LoggedArguments& arguments) {
  const auto behind = [&](std::string_view label) -> std::optional<std::string_view> {
    const std::size_t at = line.find(label);
    if (at == std::string_view::npos) return std::nullopt;
    return line.substr(at + label.size());
  };
  if (const auto text = behind(kSglang)) {
    const Arguments given(*text);
    if (given.empty()) return ArgumentLine::none;
    take_sglang(given, arguments);
    return ArgumentLine::start;
  }
  if (behind(kVllmVersion)) {
    arguments = {};
    arguments.server = "vLLM";
    arguments.version = word_after(line, kVllmVersion, " ,");
    return ArgumentLine::start;
  }
  for (const std::string_view label : {kVllmGiven, kVllmNamespace}) {
    const auto text = behind(label);
    if (!text) continue;
    std::string version = std::exchange(arguments, {}).version;
    arguments.version = std::move(version);
    take_vllm(Arguments(*text), label == kVllmGiven, arguments);
    return ArgumentLine::start;
  }
  if (const auto text = behind(kVllmConfig); text && line.find("engine (v") != std::string_view::npos) {
    take_vllm(Arguments(*text), false, arguments);
    arguments.version = word_after(line, "engine (v", ")");
    return ArgumentLine::start;
  }
  if (behind(kVllmPool) || behind(kVllmConcurrency)) return take_pool(line, arguments);
  if (const auto pool = number_after(line, kSglangPool); pool && !behind("ServerArgs")) {
    arguments.pool_tokens = *pool;
    if (const auto running = number_after(line, "max_running_requests="))
      arguments.max_running = to_count(*running);
    return ArgumentLine::more;
  }
  if (const auto text = behind(kSglangGraphs)) {
    const std::vector<double> batches =
        python_numbers(text->substr(0, std::min(text->find(']'), text->size() - 1) + 1));
    if (!batches.empty()) arguments.graph_batch = to_count(std::ranges::max(batches));
    return ArgumentLine::more;
  }
  return ArgumentLine::none;
}

}  // namespace ringside
