#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "served/acceptance_table.hpp"
#include "served/json_numbers.hpp"
#include "served/read_speeds.hpp"

namespace ringside {
namespace {

constexpr double kMost = 1e12;
constexpr double kFewer = 0.1;  // sequences on average below the concurrency that was asked for

std::optional<double> positive(const std::optional<double>& value) {
  return value && *value > 0 && *value < kMost ? value : std::nullopt;
}

std::optional<double> quotient(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b ? std::optional(*a / *b) : std::nullopt;
}

// What the result of one run of a benchmark says.
struct Benchmark {
  explicit Benchmark(const JsonNode& result)
      : asked(positive(find_number(result, {"max_concurrency"}))),
        seconds(positive(find_number(result, {"duration"}))),
        requests(positive(find_number(result, {"completed"}))),
        in(positive(find_number(result, {"total_input_tokens", "total_input"}))),
        out(positive(find_number(result, {"total_output_tokens", "total_output"}))),
        token_ms(positive(find_number(result, {"mean_tpot_ms"}))),
        first_ms(positive(find_number(result, {"mean_ttft_ms"}))),
        whole_ms(positive(find_number(result, {"mean_e2el_ms", "mean_e2e_latency_ms"}))),
        output_s(positive(find_number(result, {"output_throughput"}))),
        mean(positive(find_number(result, {"concurrency"}))) {
    if (mean || !seconds || !requests) return;
    // Little's law: requests x the time of one / duration.
    const auto tokens = quotient(out, requests);
    if (!whole_ms && token_ms && first_ms && tokens) whole_ms = *first_ms + *token_ms * (*tokens - 1);
    if (whole_ms) mean = *requests * *whole_ms / 1e3 / *seconds;
  }

  // Sequences at a time: as many as were asked for, unless there were clearly fewer.
  std::optional<double> batch() const {
    if (!asked) return mean;
    return mean && *mean < *asked * (1 - kFewer) ? mean : asked;
  }
  bool fewer() const { return asked && batch() != asked; }

  // Half of a request's output is there on average.
  std::optional<double> context() const {
    const auto prompt = quotient(in, requests), answer = quotient(out, requests);
    return prompt && answer ? std::optional(*prompt + *answer / 2) : std::nullopt;
  }

  std::optional<double> asked;
  std::optional<double> seconds;
  std::optional<double> requests;
  std::optional<double> in;
  std::optional<double> out;
  std::optional<double> token_ms;
  std::optional<double> first_ms;
  std::optional<double> whole_ms;
  std::optional<double> output_s;
  std::optional<double> mean;  // sequences at a time
};

// vLLM: "spec_decode_*"; SGLang: "accept_length", of "/server_info".
void take_acceptance(const JsonNode& result, SpeedReading& reading) {
  const auto length = find_number(result, {"spec_decode_acceptance_length", "accept_length", "acc_length"});
  if (length && *length >= 1 && *length < 1000) reading.length = length;
  if (const auto percent = find_number(result, {"spec_decode_acceptance_rate"});
      percent && *percent >= 0 && *percent <= 100)
    reading.accept_rate = *percent / 100;
  for (const double rate : find_numbers(result, "spec_decode_per_position_acceptance_rates")) {
    if (!(rate >= 0 && rate <= 1)) break;
    reading.rates.push_back(reading.rates.empty() ? rate : std::min(rate, reading.rates.back()));
  }
  const bool drafts = positive(find_number(result, {"spec_decode_num_drafts"})).has_value();
  // SGLang's server says 1 without speculation as well, if it says anything.
  reading.speculative = drafts || !reading.rates.empty() || (reading.length && *reading.length > 1);
  if (!reading.speculative) reading.length.reset();
}

// "server_info" of SGLang's newer results: its arguments by name.
void take_server(const JsonNode& result, SpeedReading& reading) {
  LoggedArguments& arguments = reading.arguments;
  arguments.model = printable(find_text(result, {"model_id", "model"}));
  const JsonNode* const info = find_member(result, {"server_info"});
  if (info == nullptr || info->kind != JsonKind::object) return;
  const auto count = [&](std::string_view name) -> std::optional<int> {
    const auto value = positive(find_number(*info, {name}));
    return value && *value < 1e6 ? std::optional(static_cast<int>(*value)) : std::nullopt;
  };
  arguments.server = "SGLang";
  arguments.version = printable(find_text(*info, {"version"}));
  if (const std::string model = find_text(*info, {"model_path"}); !model.empty())
    arguments.model = printable(model);
  arguments.tensor_parallel = count("tp_size");
  arguments.data_parallel = count("dp_size");
  arguments.pipeline_parallel = count("pp_size");
  arguments.expert_parallel = count("ep_size");
  arguments.method = printable(find_text(*info, {"speculative_algorithm"}));
  if (find_member(*info, {"speculative_algorithm"}) != nullptr)
    arguments.speculation = !arguments.method.empty();
  arguments.draft_steps = count("speculative_num_steps");
  arguments.draft_width = count("speculative_eagle_topk");
  arguments.verify_rows = count("speculative_num_draft_tokens");
  for (const char* name : {"model_path", "tp_size", "dp_size", "quantization", "speculative_algorithm"}) {
    const std::string text = find_text(*info, {name});
    const auto number = find_number(*info, {name});
    if (!text.empty() || number)
      arguments.all[name] = text.empty() ? fmt::format("{:g}", *number) : printable(text);
  }
}

// A run with requests, of vLLM or of SGLang.
SpeedReading requests_reading(const JsonNode& result, const std::string& origin, SpeedFile& file) {
  const Benchmark benchmark(result);
  SpeedReading reading;
  reading.basis = SpeedBasis::requests;
  reading.batch = benchmark.batch();
  reading.end_to_end_s = benchmark.output_s;
  reading.tokens_s = benchmark.token_ms && reading.batch
                         ? std::optional(*reading.batch * 1e3 / *benchmark.token_ms)
                         : benchmark.output_s;
  reading.context = benchmark.context();
  reading.windows = 1;
  reading.settled = true;
  take_acceptance(result, reading);
  take_server(result, reading);
  if (benchmark.fewer()) {
    file.doubts.push_back(
        fmt::format("{}: {:.1f} sequences at a time on average, though {:g} were asked for: the first counts",
                    origin, *reading.batch, *benchmark.asked));
  }
  return reading;
}

// A line of SGLang's bench_one_batch_server.
SpeedReading batch_reading(const JsonNode& result) {
  SpeedReading reading;
  reading.basis = SpeedBasis::requests;
  reading.batch = positive(find_number(result, {"batch_size"}));
  reading.tokens_s = positive(find_number(result, {"output_throughput"}));
  reading.end_to_end_s = positive(find_number(result, {"overall_throughput"}));
  const auto in = positive(find_number(result, {"input_len"})),
             out = positive(find_number(result, {"output_len"}));
  if (in && out) reading.context = *in + *out / 2;
  reading.windows = 1;
  reading.settled = true;
  take_acceptance(result, reading);
  take_server(result, reading);
  return reading;
}

bool is_vllm(const JsonNode& result) {
  return find_member(result, {"model_id", "spec_decode_num_drafts", "endpoint_type", "burstiness"}) !=
         nullptr;
}

void take_result(const JsonNode& result, const std::string& origin, SpeedFile& file) {
  const bool batch =
      find_member(result, {"batch_size"}) != nullptr && find_member(result, {"input_len"}) != nullptr;
  const bool requests = find_member(result, {"mean_tpot_ms", "output_throughput"}) != nullptr;
  if (!batch && !requests) return;
  SpeedReading reading = batch ? batch_reading(result) : requests_reading(result, origin, file);
  if (!reading.tokens_s && !reading.length) return;
  file.kind = is_vllm(result) ? "vLLM benchmark" : "SGLang benchmark";
  reading.source = fmt::format("{}, a benchmark's requests", origin);
  file.readings.push_back(std::move(reading));
}

// A text of several objects, one a line; a text of one object over several lines.
bool has_objects_by_line(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  const std::size_t end = begin == std::string::npos ? begin : text.find('\n', begin);
  if (end == std::string::npos) return false;
  const std::string_view first = trim(std::string_view(text).substr(begin, end - begin));
  return first.front() == '{' && first.back() == '}' && first.size() > 2;
}

void take_json(const std::string& text, const std::string& origin, SpeedFile& file) {
  if (!has_objects_by_line(text)) {
    const JsonTree tree(text, origin);
    const JsonNode& root = tree.root();
    if (root.kind != JsonKind::array) return take_result(root, origin, file);
    const JsonNode* element = &root + 1;
    for (std::uint32_t i = 0; i < root.size; ++i, element = element->next())
      take_result(*element, origin, file);
    return;
  }
  int number = 0;
  for (const std::string& line : split(text, '\n')) {
    ++number;
    if (trim(line).empty()) continue;
    const std::string place = fmt::format("{}, line {}", origin, number);
    const JsonTree tree(line, place);
    take_result(tree.root(), place, file);
  }
}

}  // namespace

SpeedFile read_speed_benchmark(const std::string& text, const std::string& origin) {
  SpeedFile file;
  if (is_acceptance_table(text)) {
    file = read_acceptance_table(text, origin);
  } else {
    take_json(strict_json(text), origin, file);
  }
  if (file.readings.empty()) {
    throw UsageError(
        fmt::format("{}: no result of vllm bench serve or of SGLang's benchmarks ('output_throughput', "
                    "'mean_tpot_ms'), and no "
                    "acceptance.csv of speculators",
                    origin));
  }
  std::ranges::stable_sort(file.readings, [](const SpeedReading& a, const SpeedReading& b) {
    if (a.speculative != b.speculative) return b.speculative;
    return a.batch.value_or(0) < b.batch.value_or(0);
  });
  file.arguments = file.readings.back().arguments;
  return file;
}

}  // namespace ringside
