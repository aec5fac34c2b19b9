#include "served/prometheus.hpp"

#include <charconv>
#include <cmath>
#include <optional>

#include "base/text.hpp"

namespace ringside {
namespace {

// The labels between braces, `name="value",...`, from behind the opening one; `at` ends behind the closing
// one. Nothing: they don't end.
std::optional<std::map<std::string, std::string>> read_labels(std::string_view line, std::size_t& at) {
  std::map<std::string, std::string> labels;
  while (at < line.size()) {
    while (at < line.size() && (line[at] == ',' || line[at] == ' ')) ++at;
    if (at < line.size() && line[at] == '}') {
      ++at;
      return labels;
    }
    const std::size_t equals = line.find("=\"", at);
    if (equals == std::string_view::npos) return std::nullopt;
    const std::string name(line.substr(at, equals - at));
    std::string value;
    for (at = equals + 2; at < line.size() && line[at] != '"'; ++at) {
      if (line[at] == '\\' && at + 1 < line.size()) ++at;
      value += line[at];
    }
    ++at;
    labels[name] = std::move(value);
  }
  return std::nullopt;
}

void read_line(std::string_view line, std::string_view prefix, MetricValues& values) {
  if (!line.starts_with(prefix)) return;
  std::size_t at = line.find_first_of("{ ");
  if (at == std::string_view::npos) return;
  const std::string_view name = line.substr(0, at);
  if (name.ends_with("_bucket") || name.ends_with("_created")) return;
  MetricValue metric;
  if (line[at] == '{') {
    auto labels = read_labels(line, ++at);
    if (!labels) return;
    metric.labels = std::move(*labels);
  }
  // A time may stand behind the value.
  const std::string_view rest = trim(line.substr(std::min(at, line.size())));
  const auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), metric.value);
  const bool ends = end == rest.data() + rest.size() || *end == ' ';
  if (problem != std::errc{} || !ends || !std::isfinite(metric.value)) return;
  values[std::string(name)].push_back(std::move(metric));
}

}  // namespace

MetricValues read_metrics(std::string_view text, std::string_view prefix) {
  MetricValues values;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    read_line(trim(text.substr(0, end)), prefix, values);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return values;
}

}  // namespace ringside
