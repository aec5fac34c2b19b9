#include "doctor/serving.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/errors.hpp"
#include "support/evaluate.hpp"

namespace ringside {
namespace {

SupportQuery query_of(const ServedBy& server, const BoxFacts& facts) {
  SupportQuery query;
  query.ranks = server.ranks > 0 ? server.ranks : facts.count("gpus.count");
  if (const auto capability = facts.number("gpu.0.compute_capability"))
    query.compute_capability = static_cast<int>(*capability);
  if (const auto nccl = facts.number("nccl.number")) query.nccl = static_cast<int>(*nccl);
  bool all = true;
  bool known = query.ranks >= 2;
  for (int a = 0; a < query.ranks; ++a) {
    for (int b = 0; b < query.ranks; ++b) {
      if (a == b) continue;
      const auto access = facts.flag(fmt::format("pair.{}.{}.access", a, b));
      known = known && access.has_value();
      all = all && access.value_or(false);
    }
  }
  if (known) {
    const bool nvlink = facts.number("gpu.0.nvlinks").value_or(0) > 0 &&
                        (query.ranks == 2 || facts.text("gpu.0.fabric") == "completed");
    const bool told = facts.number("gpu.0.nvlinks").has_value();
    if (!all) {
      query.link = PairLink::none;
    } else if (nvlink) {
      query.link = PairLink::nvlink;
    } else if (told && facts.number("gpu.0.nvlinks") == 0) {
      query.link = PairLink::peer;
    }
  }
  if (facts.flag("gpu.0.multicast") == false) query.multicast = false;
  query.switches = facts.below("env.");
  for (const auto& [name, value] : server.switches) query.switches[name] = value;
  return query;
}

std::string rest_of(const SupportAnswer& answer) {
  std::string text;
  for (const std::string& missing : answer.missing) text += (text.empty() ? "" : "; ") + missing;
  return text;
}

int whole_number(const std::string& text, const std::string& flag) {
  int value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size() || value < 1 || value > 1024)
    throw UsageError(fmt::format("{}: '{}' is no number of ranks", flag, text));
  return value;
}

}  // namespace

ServedBy parse_served_by(const std::string& text) {
  const std::size_t at = text.find('@');
  ServedBy server;
  server.framework = text.substr(0, at);
  if (at != std::string::npos) server.version = text.substr(at + 1);
  const SupportTable table = find_support_table(server.framework);
  find_edition(table.editions, server.version);
  return server;
}

ServedBy served_by_command(const std::vector<std::string>& command, const BoxFacts& facts) {
  ServedBy server;
  for (const std::string& word : command) {
    if (!server.framework.empty()) break;
    const std::string name = word.substr(word.rfind('/') + 1);
    for (const char* framework : {"vllm", "sglang"}) {
      if (name == framework || name.starts_with(std::string(framework) + ".")) server.framework = framework;
    }
  }
  if (server.framework.empty())
    throw UsageError(
        "the command starts neither vllm nor sglang: write vllm serve ..., or python -m "
        "sglang.launch_server ...; or ask for one with --for");
  server.version = facts.text_or("python." + server.framework, "");
  for (std::size_t i = 0; i < command.size(); ++i) {
    const std::string& word = command[i];
    if (!word.starts_with("-")) {
      const std::size_t sign = word.find('=');
      if (sign != std::string::npos && sign > 0)
        server.switches[word.substr(0, sign)] = word.substr(sign + 1);
      continue;
    }
    const std::size_t sign = word.find('=');
    const std::string flag = word.substr(0, sign);
    std::string value = "on";
    if (sign != std::string::npos) {
      value = word.substr(sign + 1);
    } else if (i + 1 < command.size() && !command[i + 1].starts_with("-")) {
      value = command[i + 1];
    }
    if (flag == "--tensor-parallel-size" || flag == "-tp" || flag == "--tp" || flag == "--tp-size")
      server.ranks = whole_number(value, flag);
    server.switches[flag] = value;
  }
  return server;
}

std::vector<PathPrediction> predict_paths(const ServedBy& server, const BoxFacts& facts) {
  const SupportTable table = find_support_table(server.framework);
  const Edition edition = find_edition(table.editions, server.version);
  SupportQuery query = query_of(server, facts);
  const std::string by = fmt::format("{} {}", table.title, edition.name);
  if (query.ranks < 2) {
    PathPrediction none;
    none.by = by;
    none.subject = "all sizes";
    none.because = query.ranks == 1 ? "one rank makes no allreduce"
                                    : "the number of ranks is not known: " + facts.why("gpus.count");
    return {none};
  }
  std::vector<Bytes> sizes = server.sizes;
  if (sizes.empty()) sizes = {16_KiB, 64_KiB, 256_KiB, 1_MiB, 8_MiB};
  std::vector<PathPrediction> predictions;
  for (const Bytes size : sizes) {
    query.bytes = size;
    const SupportAnswer answer = evaluate(table, edition, query);
    PathPrediction prediction;
    prediction.by = by;
    prediction.subject = fmt::format("{} bf16 in a graph, {} ranks", format_size(size), query.ranks);
    if (const PathVerdict* choice = answer.choice()) {
      prediction.path = choice->path->name;
      if (!choice->kernel.empty()) prediction.path += " (" + choice->kernel + ")";
      prediction.because = "rules read in " + table.title;
    } else {
      const std::string rest = rest_of(answer);
      prediction.because = rest.empty() ? "no path of the table takes it" : "not known: " + rest;
    }
    if (!answer.note.empty()) prediction.because += "; " + answer.note;
    for (const PathVerdict& path : answer.paths) {
      if (&path == answer.choice() || path.why_not.empty()) continue;
      prediction.others.push_back(fmt::format("{}: {}", path.path->name, path.why_not));
    }
    predictions.push_back(std::move(prediction));
  }
  return predictions;
}

}  // namespace ringside
