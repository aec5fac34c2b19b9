#include "spec_options.hpp"

#include <charconv>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "option_values.hpp"
#include "request_options.hpp"
#include "spec/estimate/gpu_prior.hpp"
#include "sweep/request_limits.hpp"

namespace ringside {
namespace {

double parse_microseconds(const std::string& text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size() || !(value >= 0 && value <= 1e6))
    throw UsageError("expected microseconds from 0 to 1000000, not '" + text + "'");
  return value;
}

using Text = std::optional<std::string>;

auto store(Text& target) {
  return [&target](const std::string& text) { target = text; };
}

auto append(std::vector<std::string>& target) {
  return [&target](const std::string& text) { target.push_back(text); };
}

ExpectedVerdict parse_expected(const std::string& text) {
  if (text == "pays") return ExpectedVerdict::pays;
  if (text == "loses") return ExpectedVerdict::loses;
  throw UsageError("expected pays or loses, not '" + text + "'");
}

void declare_question(SpecOptions& target, OptionTable& options) {
  options.group("What is asked");
  options.value(
      "--from-config", "FILE",
      "The model: its Hugging Face config.json, or the folder that has it; hf_quant_config.json and "
      "model.safetensors.index.json beside it are read too",
      store(target.config));
  options.value("--draft-config", "FILE",
                "The config.json of a draft model of its own [the method's usual one]",
                store(target.draft_config));
  options.value("--gpu", "NAME", "Type of the GPUs, for the times of their kernels [the machine's]",
                store(target.gpu));
  options.choices(gpu_prior_names());
  options.value(
      "--server", "NAME",
      "Software and its version or date: vllm@0.20, sglang@0.5.9, 2026-03. Older software takes longer "
      "for each step [not known]",
      store(target.server));
  options.value("--tp", "N", "GPUs that share each layer, from 1 [the scenario's]",
                store_integer(target.tp, {1, 1024}));
  options.value("--ep", "N",
                "GPUs that share the experts, whole ones on each [1: every expert is cut by --tp]",
                store_integer(target.ep, {1, 1024}));
  options.flag("--alltoall",
               "With --ep: tokens are sent to their experts' GPUs and back, in place of an allreduce",
               target.alltoall);
  options.flag("--dp-attention", "Each GPU has sequences, keys and values of its own in the attention layers",
               target.dp_attention);
  options.value("--drafts", "N",
                "Drafted tokens of a sequence in each step, one after the other [the scenario's]",
                store_integer(target.drafts, {1, 64}));
  options.value(
      "--batch", "LIST",
      "Running sequences of the whole server; several give a table: 8, 1:64:x2 [what was measured, else "
      "the scenario's]",
      store(target.batches));
  options.value("--context", "LIST",
                "Tokens of a sequence that attention reads; several give a table: 2K, 1K:32K:x4 [what was "
                "measured, else 1K]",
                store(target.contexts));
  options.value(
      "--acceptance", "WHAT",
      "How many drafts are accepted: a length (tokens a step: 2.4), shares by position (0.8,0.6,0.45), or "
      "a published curve (golden:kimi-k2.5) [what was measured, else not known]",
      store(target.acceptance));
  options.value("--expect", "VERDICT",
                "pays or loses: exit status 6 where it is the opposite, 7 where it is open",
                [&target](const std::string& text) { target.expect = parse_expected(text); });
  options.choices({"pays", "loses"});
  options.repeatable("--set", "PATH=VALUE", "Overrides anything in the scenario: speculation.draft_tokens=6",
                     append(target.sets));
}

void declare_measurements(SpecOptions& target, OptionTable& options) {
  options.group("What was measured");
  options.repeatable("--from-log", "FILE",
                     "A log of an SGLang or vLLM server: batch, context, speed, acceptance of its lines",
                     append(target.logs));
  options.repeatable("--from-bench", "FILE", "A result of `vllm bench serve` or of SGLang's bench_serving",
                     append(target.benches));
  options.pair("--metrics", "BEFORE AFTER",
               "Two snapshots of a server's /metrics: what happened between them",
               [&target](const std::string& before, const std::string& after) {
                 target.metrics.emplace_back(before, after);
               });
  options.repeatable("--observe", "LIST",
                     "A speed of the whole server, typed: batch=8,tokens_s=455, or with speculation "
                     "batch=8,drafts=3,tokens_s=372,length=2.4; also context=2K",
                     append(target.observed));
  options.value(
      "--allreduce", "FILE",
      "Times of the server's allreduce: a result of probe-comm, the output of nccl-tests, or a CSV of "
      "bytes and microseconds [measured here, published, or modelled]",
      store(target.allreduce));
}

}  // namespace

void declare_spec_options(SpecOptions& target, OptionTable& options) {
  options.argument(
      "SCENARIO",
      "A model, a layout and a speculation setting, by name (see `ringside list specs`) or as a TOML file "
      "[kimi-k2.5-eagle3 where no other option names a model or a measurement]",
      [&target](const std::string& text) { target.scenario = text; });
  options.choices(scenario_names("specs"));
  declare_question(target, options);
  declare_measurements(target, options);
  declare_strategy(target.flags, options, "As of probe-comm; all-to-all strategies too [all]");
  options.group("Where it runs");
  declare_place(
      target.flags, options,
      {.device = "auto, cuda or host (the communication is replayed there), or model (a described machine) "
                 "[auto: cuda with two GPUs, else model]",
       .machine = "The machine behind what is modelled; see `ringside list machines` [the scenario's]",
       .ranks = "Ranks of a replay [as of probe-comm]",
       .mode = "eager or graph [cuda: both; model: graph]"});
  options.group("How it is replayed");
  options.value("--compute", "US", "Idle time of each layer between its collectives, in microseconds [none]",
                [&target](const std::string& text) { target.compute_us = parse_microseconds(text); });
  options.value("--skew", "US", "How much later the last rank comes to each call, in microseconds [none]",
                [&target](const std::string& text) { target.skew_us = parse_microseconds(text); });
  declare_limits(target.flags, options,
                 {.budget = fmt::format("For the measurement: 45, 45s, 2m [{}s]", kReplayBudget.count()),
                  .launches = "Groups of fresh processes [3]"});
}

}  // namespace ringside
