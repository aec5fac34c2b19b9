#include "spec/server_log.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/text.hpp"
#include "stats/order.hpp"

namespace ringside {
namespace {

// The number that follows `label`, or nothing.
std::optional<double> number_after(std::string_view line, std::string_view label) {
  const std::size_t at = line.find(label);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = line.substr(at + label.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  double value = 0;
  const auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (problem != std::errc{} || !(value >= 0 && value < 1e12)) return std::nullopt;
  return value;
}

// "0.929, 0.857, Avg Draft ...": the numbers up to the first word.
std::vector<double> numbers_after(std::string_view line, std::string_view label) {
  std::vector<double> values;
  const std::size_t at = line.find(label);
  if (at == std::string_view::npos) return values;
  for (const std::string& part : split(line.substr(at + label.size()), ',')) {
    const std::string_view word = trim(part);
    double value = 0;
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (problem != std::errc{} || end != word.data() + word.size() || !(value >= 0 && value <= 1)) break;
    values.push_back(value);
  }
  return values;
}

std::optional<double> middle(const std::vector<double>& values) {
  return values.empty() ? std::nullopt : std::optional(median(values));
}

class LogReader {
 public:
  void read(std::string_view line) {
    if (line.find("Decode batch") != std::string_view::npos) return read_sglang(line);
    if (line.find("SpecDecoding metrics:") != std::string_view::npos) return read_vllm_acceptance(line);
    if (line.find("Avg generation throughput:") != std::string_view::npos) return read_vllm_throughput(line);
  }

  ServerLog result() const {
    ServerLog log;
    log.server = server_;
    log.lines = lines_;
    log.acceptance_length = middle(lengths_);
    log.tokens_s = middle(throughputs_);
    log.running = middle(running_);
    for (const std::vector<double>& column : rates_) {
      // A later position is accepted only where the earlier ones were; medians of columns may miss that by a
      // hair.
      const double share = median(column);
      log.rates.push_back(log.rates.empty() ? share : std::min(share, log.rates.back()));
    }
    return log;
  }

 private:
  // "Decode batch. #running-req: 1, #token: 108, token usage: 0.00, accept len: 2.17, [accept rate: 0.54,
  // cuda graph: True,] gen throughput (token/s): 178.86, #queue-req: 0". A plain server's lines have no
  // accept len.
  void read_sglang(std::string_view line) {
    const auto throughput = number_after(line, "gen throughput (token/s):");
    const auto length = number_after(line, "accept len:");
    if (!throughput && !length) return;
    note("SGLang");
    const auto running = number_after(line, "#running-req:");
    add(lengths_, length, 1);
    add(running_, running, 1);
    add(throughputs_, throughput, 1e-9);
  }

  void read_vllm_acceptance(std::string_view line) {
    const auto length = number_after(line, "Mean acceptance length:");
    const std::vector<double> rates = numbers_after(line, "Per-position acceptance rate:");
    if (!length && rates.empty()) return;
    note("vLLM");
    add(lengths_, length, 1);
    if (!rates_.empty() && rates.size() != rates_.size()) return;
    rates_.resize(rates.size());
    for (std::size_t i = 0; i < rates.size(); ++i) rates_[i].push_back(rates[i]);
  }

  // An idle server goes on reporting, with 0 tokens/s.
  void read_vllm_throughput(std::string_view line) {
    const auto throughput = number_after(line, "Avg generation throughput:");
    if (!throughput || *throughput <= 0) return;
    note("vLLM");
    add(throughputs_, throughput, 1e-9);
    add(running_, number_after(line, "Running:"), 1);
  }

  void note(const char* server) {
    server_ = server;
    ++lines_;
  }

  static void add(std::vector<double>& values, const std::optional<double>& value, double least) {
    if (value && *value >= least) values.push_back(*value);
  }

  std::string server_;
  int lines_ = 0;
  std::vector<double> lengths_;
  std::vector<double> throughputs_;
  std::vector<double> running_;
  std::vector<std::vector<double>> rates_;  // by position
};

}  // namespace

ServerLog read_server_log(const std::string& text) {
  LogReader reader;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    reader.read(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return reader.result();
}

}  // namespace ringside
