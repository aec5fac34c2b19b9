#include "served/acceptance_table.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/text.hpp"

namespace ringside {
namespace {

constexpr std::string_view kLength = "acceptance_length";
constexpr std::string_view kDrafts = "num_drafts";
constexpr std::string_view kPosition = "acceptance_at_pos_";

// Columns of names that hold no comma; the subset's own may be quoted.
std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      cells.emplace_back();
    else if (c != '\r')
      cells.back() += c;
  }
  return cells;
}

class Table {
 public:
  Table(std::string_view header, std::string origin) : names_(cells_of(header)), origin_(std::move(origin)) {}

  std::optional<double> number(const std::vector<std::string>& cells, std::string_view name, int line) const {
    const auto found =
        std::ranges::find_if(names_, [&](const std::string& own) { return trim(own) == name; });
    const auto at = static_cast<std::size_t>(found - names_.begin());
    if (at >= cells.size() || trim(cells[at]).empty()) return std::nullopt;
    const std::string_view text = trim(cells[at]);
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc{} || end != text.data() + text.size() || !(value >= 0 && value < 1e12))
      throw UsageError(fmt::format("{}:{}: '{}' must be a number", origin_, line, name));
    return value;
  }

 private:
  std::vector<std::string> names_;
  std::string origin_;
};

}  // namespace

bool is_acceptance_table(std::string_view text) {
  const std::string_view first = text.substr(0, text.find('\n'));
  return first.find(kLength) != std::string_view::npos && first.find(',') != std::string_view::npos &&
         first.find('{') == std::string_view::npos;
}

SpeedFile read_acceptance_table(const std::string& text, const std::string& origin) {
  const std::vector<std::string> lines = split(text, '\n');
  const Table table(lines.front(), origin);
  SpeedReading reading;
  reading.speculative = true;
  std::vector<double> lengths, sums;
  double weight = 0, length_sum = 0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (trim(lines[i]).empty()) continue;
    const auto cells = cells_of(lines[i]);
    const int line = static_cast<int>(i) + 1;
    const auto length = table.number(cells, kLength, line);
    const double drafts = table.number(cells, kDrafts, line).value_or(1);
    if (!length || *length < 1 || drafts <= 0) continue;
    lengths.push_back(*length);
    length_sum += drafts * *length;
    weight += drafts;
    for (std::size_t position = 0;; ++position) {
      const auto rate = table.number(cells, fmt::format("{}{}", kPosition, position), line);
      if (!rate || *rate > 1) break;
      if (sums.size() <= position) sums.resize(position + 1);
      sums[position] += drafts * *rate;
    }
  }
  SpeedFile file{.kind = "acceptance table", .readings = {}, .arguments = {}, .doubts = {}, .withheld = {}};
  if (lengths.empty()) return file;
  reading.length = length_sum / weight;
  if (lengths.size() > 1)
    reading.length_spread = Interval{std::ranges::min(lengths), std::ranges::max(lengths)};
  for (const double sum : sums)
    reading.rates.push_back(reading.rates.empty() ? sum / weight
                                                  : std::min(sum / weight, reading.rates.back()));
  reading.windows = static_cast<int>(lengths.size());
  reading.settled = true;
  reading.source = fmt::format("{}, {} subset{}", origin, lengths.size(), lengths.size() == 1 ? "" : "s");
  file.readings.push_back(std::move(reading));
  return file;
}

}  // namespace ringside
