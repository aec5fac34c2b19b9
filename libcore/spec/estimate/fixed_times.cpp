#include "spec/estimate/fixed_times.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "scenario/toml_reader.hpp"

namespace ringside {
namespace {

LogPrior read_prior(const TomlTable& text, std::string_view key) {
  const auto pair = text.get<std::vector<double>>(key, {0, 1e4});
  if (pair.size() != 2 || pair[0] <= 0 || pair[1] <= 1)
    throw text.error(key, "must be a median and a factor above 1");
  return {pair[0], pair[1]};
}

// The newest half year that the file has stands for all that follow; no date for the middle one.
SoftwareAge known_age(SoftwareAge age) {
  if (age == SoftwareAge::unknown) return SoftwareAge::half2_2025;
  return age == SoftwareAge::half2_2026 ? SoftwareAge::half1_2026 : age;
}

// Reads every table, so that a key nobody knows is found; keeps the one that fits.
void read_software(const TomlTable& root, FixedTimes& times, const std::string& server, std::string_view age,
                   const std::string& without_gpu) {
  bool found = false;
  bool own = false;
  for (const TomlTable& text : root.tables("software")) {
    const auto name = text.get<std::string>("server");
    FixedTimes read = times;
    read.host_ms = read_prior(text, "host_ms");
    read.simple_us = read_prior(text, "simple_us");
    read.complex_us = read_prior(text, "complex_us");
    if (const auto left_out = text.find_table("left_out")) {
      for (const std::string& gpu : left_out->keys()) {
        const auto pair = left_out->get<std::vector<double>>(gpu, {0.1, 1e4});
        if (pair.size() != 2)
          throw left_out->error(gpu, "must be the times of a simple and of a complex layer");
        if (gpu != without_gpu) continue;
        read.simple_us.median = pair[0];
        read.complex_us.median = pair[1];
      }
    }
    if (text.get<std::string>("age") != age || own || (name != server && name != "unknown")) continue;
    times = read;
    found = true;
    own = name == server;
  }
  if (!found) throw root.error("software", "has no times of server 'unknown' for every age");
}

void read_speculation(const TomlTable& root, FixedTimes& times, std::string_view age, bool one_gpu_draft,
                      bool complex) {
  for (const TomlTable& text : root.tables("speculation")) {
    const LogPrior verify = read_prior(text, "verify_ms");
    const LogPrior complex_verify = read_prior(text, "complex_verify_ms");
    const LogPrior draft = read_prior(text, "draft_ms");
    const LogPrior one_gpu = read_prior(text, "one_gpu_draft_ms");
    if (text.get<std::string>("age") != age) continue;
    times.verify_ms = complex ? complex_verify : verify;
    times.draft_ms = one_gpu_draft ? one_gpu : draft;
  }
}

}  // namespace

FixedTimes read_fixed_times(const ScenarioText& text, const ServerSoftware& server, bool one_gpu_draft,
                            bool complex, const std::string& without_gpu) {
  const TomlDocument document(text);
  const TomlTable root = document.root();
  root.get<std::string>("source");
  root.get<std::string>("date");
  FixedTimes times;
  const std::string_view age = to_string(known_age(server.age));
  read_software(root, times, std::string(table_key(server.kind)), age, without_gpu);
  read_speculation(root, times, age, one_gpu_draft, complex);
  const TomlTable factors = root.table("factors");
  times.cpu_factor = factors.get<double>("cpu", {1, 10});
  times.draft_layer_factor = factors.get<double>("draft_layer", {1, 10});
  times.row_ms = read_prior(factors, "row_ms");
  times.sequence_ms = read_prior(factors, "sequence_ms");
  times.repeat = read_prior(factors, "repeat");
  times.compute_factor = factors.get<double>("compute", {1, 10});
  times.collectives_tie = factors.get<double>("collectives_tie", {1, 10});
  times.slow_step_ms = read_prior(factors, "slow_step_ms");
  times.slow_draft_ms = read_prior(factors, "slow_draft_ms");
  document.finish();
  if (server.age == SoftwareAge::unknown) {
    constexpr double kUnknownAge = 2;
    for (LogPrior* prior : {&times.host_ms, &times.simple_us, &times.complex_us, &times.verify_ms})
      prior->factor = std::max(prior->factor, kUnknownAge);
  }
  return times;
}

FixedTimes fixed_times(const ServerSoftware& server, bool one_gpu_draft, bool complex,
                       const std::string& without_gpu) {
  return read_fixed_times(find_scenario("compute", "fixed-times"), server, one_gpu_draft, complex,
                          without_gpu);
}

}  // namespace ringside
