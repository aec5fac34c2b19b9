#include "run/spec_readings.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "base/text.hpp"
#include "base/units.hpp"
#include "served/read_speeds.hpp"
#include "spec/asked.hpp"

namespace ringside {
namespace {

constexpr std::size_t kMostLog = 512u << 20;
constexpr std::size_t kMostFile = 64u << 20;

// "batch 8: 372 tok/s with speculation, length 2.40, context 2.7K (12 windows)"
std::string describe(const SpeedReading& reading) {
  std::vector<std::string> parts;
  std::string batch = reading.batch ? fmt::format("batch {:g}", *reading.batch) : "batch not said";
  if (reading.ranks > 1) batch += fmt::format(" ({} ranks x {:g})", reading.ranks, reading.batch_a_rank());
  if (reading.tokens_s) {
    parts.push_back(format_three_digits(*reading.tokens_s) +
                    (reading.speculative ? " tok/s with speculation" : " tok/s, plain"));
  }
  if (reading.length) parts.push_back(fmt::format("{:.2f} tokens a step", *reading.length));
  if (reading.context) parts.push_back(fmt::format("context {:.0f}", *reading.context));
  return fmt::format("{}: {} ({} {})", batch, join(parts, ", "), reading.windows,
                     reading.windows == 1 ? "value" : "values");
}

class Reader {
 public:
  explicit Reader(const SpecOptions& options) : options_(options) {}

  SpecReadings read() {
    for (const std::string& path : options_.logs) {
      const std::string text = load(path, "log", kMostLog);
      take(path, read_speed_log(text, path), finding_kind("from-log"));
    }
    for (const std::string& path : options_.benches) {
      const std::string text = load(path, "benchmark", kMostFile);
      take(path, read_speed_benchmark(text, path), finding_kind("from-file"));
    }
    for (const auto& [before, after] : options_.metrics) {
      const std::string first = load(before, "metrics", kMostFile);
      const std::string second = load(after, "metrics", kMostFile);
      take(after, read_speed_metrics(first, before, second, after), finding_kind("from-file"));
    }
    for (const std::string& text : options_.observed) {
      try {
        result_.observations.push_back({parse_observation(text), Origin::measured});
      } catch (const UsageError& problem) {
        throw UsageError(fmt::format("--observe: {}", problem.what()));
      }
    }
    return std::move(result_);
  }

 private:
  std::string load(const std::string& path, const char* role, std::size_t most) {
    std::string text = read_input(path, most);
    result_.inputs.push_back(input_text(role, path, text, result_.withheld, false));
    return text;
  }

  void take(const std::string& path, SpeedFile file, const FindingKind& kind) {
    result_.withheld.add(file.withheld);
    if (file.readings.empty()) {
      throw UsageError(
          fmt::format("{}: no line of an SGLang server ('accept len:', 'gen throughput (token/s):') or of a "
                      "vLLM server ('SpecDecoding metrics:', 'Avg generation throughput:') says anything",
                      path));
    }
    if (!file.arguments.empty()) result_.arguments = file.arguments;
    for (const char* server : {"SGLang", "vLLM"}) {
      if (file.kind.starts_with(server)) result_.server = server;
    }
    const std::string name = path.substr(path.find_last_of('/') + 1);
    std::vector<SpeedReading> usable = usable_readings(std::move(file.readings));
    constexpr std::size_t kTold = 6;
    std::vector<std::string> told;
    for (const SpeedReading& reading : usable) {
      if (told.size() < kTold) told.push_back(describe(reading));
    }
    if (usable.size() > kTold) told.push_back(fmt::format("{} more", usable.size() - kTold));
    note(kind, Severity::note, path, fmt::format("{}, {}: {}", path, file.kind, join(told, "; ")));
    for (const std::string& doubt : file.doubts)
      note(kind, Severity::warning, path, fmt::format("{}: {}", path, doubt));
    for (SpeedReading& reading : usable) {
      if (reading.source.starts_with(path)) reading.source.replace(0, path.size(), name);
      result_.observations.push_back({std::move(reading), Origin::measured});
    }
  }

  void note(const FindingKind& kind, Severity severity, const std::string& subject, std::string message) {
    result_.notes.push_back({.kind = kind,
                             .severity = severity,
                             .subject = subject,
                             .message = std::move(message),
                             .evidence = {},
                             .remedy = ""});
  }

  const SpecOptions& options_;
  SpecReadings result_;
};

}  // namespace

SpecReadings read_speeds(const SpecOptions& options) {
  return Reader(options).read();
}

}  // namespace ringside
