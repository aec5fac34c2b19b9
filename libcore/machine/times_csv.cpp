#include <algorithm>
#include <cctype>
#include <charconv>
#include <tuple>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "machine/measured_times.hpp"
#include "stats/order.hpp"

namespace ringside {
namespace {

constexpr double kMostUs = 3.6e9;

// One separator for the whole line: the first of these that it has.
std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  for (const char separator : {',', ';', '\t'}) {
    if (line.find(separator) == std::string_view::npos) continue;
    for (const std::string& cell : split(line, separator)) cells.emplace_back(trim(cell));
    return cells;
  }
  for (const std::string& cell : split(line, ' '))
    if (!trim(cell).empty()) cells.emplace_back(trim(cell));
  return cells;
}

enum class Column { other, bytes, us, ms, ns, ranks, dtype, collective };

Column column_of(const std::string& name) {
  const std::string plain = lower_case(name);
  const auto is = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, plain) != names.end();
  };
  if (is({"bytes", "size", "message_size", "size_bytes", "message_bytes"})) return Column::bytes;
  if (is({"us", "time", "time_us", "latency_us", "microseconds", "latency"})) return Column::us;
  if (is({"ms", "time_ms", "latency_ms"})) return Column::ms;
  if (is({"ns", "time_ns", "median_ns", "latency_ns"})) return Column::ns;
  if (is({"ranks", "num_gpus", "gpus", "world_size"})) return Column::ranks;
  if (is({"dtype", "type"})) return Column::dtype;
  if (is({"collective", "operation"})) return Column::collective;
  return Column::other;
}

double factor_of(Column column) {
  return column == Column::ms ? 1e3 : column == Column::ns ? 1e-3 : 1;
}

std::optional<double> number(const std::string& text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

struct CsvLine {
  std::optional<double> bytes;
  std::optional<double> us;
  int ranks = 0;
  std::string dtype;
  Collective collective = Collective::allreduce;
};

class Reader {
 public:
  explicit Reader(std::string origin) : origin_(std::move(origin)) {}

  void take(std::string_view line, int number) {
    line_ = number;
    line = trim(line);
    if (line.empty() || line.front() == '#') return;
    const std::vector<std::string> cells = cells_of(line);
    if (columns_.empty()) {
      columns_ = header(cells);
      if (named_) return;
    }
    if (cells.size() < columns_.size() && cells.size() < 2)
      throw error("two columns are needed, bytes and microseconds");
    CsvLine read;
    for (std::size_t i = 0; i < std::min(cells.size(), columns_.size()); ++i)
      take_cell(columns_[i], cells[i], read);
    if (!read.bytes || !read.us) throw error("two columns are needed, bytes and microseconds");
    values_[{read.collective, read.ranks, read.dtype}][*read.bytes].push_back(*read.us);
  }

  std::vector<MeasuredTimes> result() const {
    std::vector<MeasuredTimes> series;
    for (const auto& [key, sizes] : values_) {
      MeasuredTimes times;
      std::tie(times.collective, times.ranks, times.dtype) = key;
      for (const auto& [bytes, us] : sizes) times.us[bytes] = median(us);
      times.source = origin_;
      if (times.ranks > 0) times.source += fmt::format(", {} ranks", times.ranks);
      series.push_back(std::move(times));
    }
    return series;
  }

 private:
  UsageError error(const std::string& what) const {
    return UsageError(fmt::format("{}:{}: {}", origin_, line_, what));
  }

  // Names of columns, or those of a file without a header.
  std::vector<Column> header(const std::vector<std::string>& cells) {
    std::vector<Column> columns;
    for (const std::string& cell : cells) columns.push_back(column_of(cell));
    const auto has = [&](std::initializer_list<Column> wanted) {
      return std::ranges::any_of(
          columns, [&](Column column) { return std::ranges::find(wanted, column) != wanted.end(); });
    };
    if (has({Column::bytes}) && has({Column::us, Column::ms, Column::ns})) {
      named_ = true;
      return columns;
    }
    if (cells.size() >= 2 && number(cells[1])) return {Column::bytes, Column::us};
    throw error(
        "neither a result of probe-comm, nor nccl-tests' output, nor a CSV of bytes and microseconds");
  }

  void take_cell(Column column, const std::string& text, CsvLine& line) const {
    switch (column) {
      case Column::bytes: {
        const Bytes bytes = size_of(text);
        if (bytes.count == 0) throw error("a message of no bytes");
        line.bytes = static_cast<double>(bytes.count);
        return;
      }
      case Column::us:
      case Column::ms:
      case Column::ns: {
        if (line.us) return;  // of several times the first
        const auto value = number(text);
        if (!value || !(*value * factor_of(column) > 0 && *value * factor_of(column) < kMostUs))
          throw error(fmt::format("'{}' is no time above 0 and below an hour", printable(text)));
        line.us = *value * factor_of(column);
        return;
      }
      case Column::ranks: {
        const auto value = number(text);
        if (!value || *value < 2 || *value > 1024)
          throw error(fmt::format("'{}' is no number of ranks", printable(text)));
        line.ranks = static_cast<int>(*value);
        return;
      }
      case Column::dtype:
        line.dtype = printable(text);
        return;
      case Column::collective:
        line.collective = collective_of(text);
        return;
      case Column::other:
        return;
    }
  }

  Bytes size_of(const std::string& text) const {
    if (const auto value = number(text); value && *value >= 0 && *value < 1e15)
      return {static_cast<std::uint64_t>(*value)};
    try {
      return parse_size(text);
    } catch (const UsageError& problem) {
      throw error(problem.what());
    }
  }

  Collective collective_of(const std::string& text) const {
    std::string plain = lower_case(text);
    std::erase_if(plain, [](char c) { return c == '_' || c == '-' || c == ' '; });
    if (plain == "allreduce") return Collective::allreduce;
    if (plain == "alltoall") return Collective::alltoall;
    throw error(fmt::format("'{}' is neither allreduce nor alltoall", printable(text)));
  }

  using Key = std::tuple<Collective, int, std::string>;
  std::string origin_;
  int line_ = 0;
  bool named_ = false;
  std::vector<Column> columns_;
  std::map<Key, std::map<double, std::vector<double>>> values_;
};

}  // namespace

std::vector<MeasuredTimes> read_times_csv(const std::string& text, const std::string& origin) {
  Reader reader(origin);
  std::string_view rest = text;
  for (int number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    reader.take(rest.substr(0, std::min<std::size_t>(end, 4096)), number);
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  std::vector<MeasuredTimes> times = reader.result();
  if (times.empty()) throw UsageError(origin + ": it holds no times");
  return times;
}

}  // namespace ringside
