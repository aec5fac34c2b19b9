#include "gate/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <numeric>

#include "base/errors.hpp"
#include "gate/cases.hpp"
#include "gate/fingerprint_match.hpp"
#include "gate/floors.hpp"
#include "gate/look.hpp"
#include "scenario/toml_reader.hpp"
#include "stats/order.hpp"
#include "stats/scatter.hpp"

namespace ringside {
namespace {

constexpr std::size_t kFewestLaunches = 6;
constexpr double kShare = 0.99;
constexpr std::size_t kMostTimes = 8;
constexpr std::int64_t kApartSeconds = 300;  // what is measured closer together is one time
constexpr double kMostRatio = 1e9;           // as a threshold: nothing counts

// A basic string of TOML.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string numbers(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += fmt::format("{}{:.6g}", text.empty() ? "" : ", ", value);
  return text;
}

// The times' middles, in sets between which the link itself moved: a comparison across that is not judged.
// Times whose floor is not known are a set of their own.
std::vector<std::vector<double>> middles_of_like_links(const CalibratedCase& one) {
  std::vector<std::size_t> order(one.middle_ns.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t time) { return one.middle_ns[time] <= 0; });
  std::ranges::sort(order, {}, [&](std::size_t time) { return one.floor_ns[time]; });
  std::vector<std::vector<double>> sets;
  double lowest = -1;  // floor of the set
  for (const std::size_t time : order) {
    const double floor = one.floor_ns[time];
    if (lowest < 0 || (lowest == 0) != (floor == 0) || (floor > 0 && floors_differ(lowest, floor))) {
      sets.emplace_back();
      lowest = floor;
    }
    sets.back().push_back(one.middle_ns[time]);
  }
  return sets;
}

// "2026-11-30T18:32:23Z" in seconds; nothing for what is no such date.
std::optional<std::int64_t> seconds_of(const std::string& date) {
  std::tm time{};
  const char* const end = ::strptime(date.c_str(), "%Y-%m-%dT%H:%M:%SZ", &time);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return ::timegm(&time);
}

bool same_time(const std::string& earlier, const std::string& later) {
  const auto before = seconds_of(earlier);
  const auto after = seconds_of(later);
  return before && after && std::abs(*after - *before) < kApartSeconds;
}

// Leaves the last time out.
Calibration without_last(Calibration all) {
  all.measured.pop_back();
  for (auto& [key, one] : all.cases) {
    one.ratio99.pop_back();
    one.middle_ns.pop_back();
    one.floor_ns.pop_back();
  }
  return all;
}

// A case that was not measured at that time.
void add_time(CalibratedCase& one) {
  one.ratio99.push_back(0);
  one.middle_ns.push_back(0);
  one.floor_ns.push_back(0);
}

void append(std::vector<double>& values, const std::vector<double>& more) {
  values.insert(values.end(), more.begin(), more.end());
}

void keep_last(std::vector<double>& values, std::size_t count) {
  values.erase(values.begin(), values.end() - static_cast<std::ptrdiff_t>(std::min(count, values.size())));
}

std::vector<double> read_numbers(const TomlTable& row, const char* key, std::size_t count) {
  auto values = row.get<std::vector<double>>(key, {0, 1e15});
  if (values.size() != count)
    throw row.error(key,
                    fmt::format("{} numbers are needed, as many as there are dates in 'measured'", count));
  return values;
}

}  // namespace

std::optional<double> Calibration::threshold(const std::string& key, std::size_t launches_of_side,
                                             Sides sides) const {
  const auto found = cases.find(key);
  if (found == cases.end() || launches_of_side == 0) return std::nullopt;
  const double widest = std::ranges::max(found->second.ratio99);
  const double within = widest * std::sqrt(std::max(1.0, launches / static_cast<double>(launches_of_side)));
  if (sides == Sides::in_turn) return within;
  const auto between = expected_shift99(middles_of_like_links(found->second));
  return std::min(kMostRatio, between ? std::max(within, between->ratio99) : within);
}

bool Calibration::knows_runs(const std::string& key) const {
  const auto found = cases.find(key);
  if (found == cases.end()) return false;
  const auto between = expected_shift99(middles_of_like_links(found->second));
  return between && between->freedom >= kRunsToKnow - 1;
}

std::size_t Calibration::times(const std::string& key) const {
  const auto found = cases.find(key);
  if (found == cases.end()) return 0;
  return static_cast<std::size_t>(
      std::ranges::count_if(found->second.middle_ns, [](double middle) { return middle > 0; }));
}

Calibration calibrate(const Document& document) {
  Calibration calibration;
  calibration.measured = {document.started};
  calibration.machine.name = document.machine.name;
  for (const auto& fact : document.machine.facts) {
    if (identifies(fact.first)) calibration.machine.facts.push_back(fact);
  }
  std::size_t moved = 0;
  for (const Row& row : document.rows) {
    const std::vector<double> medians = launch_medians(row);
    if (row.status != Status::pass || medians.size() < kFewestLaunches) continue;
    if (moved_floors(sorted_floors(row))) {  // its halves say how far the machine moved
      ++moved;
      continue;
    }
    const int launches = static_cast<int>(medians.size() / 2);
    calibration.launches = calibration.launches == 0 ? launches : std::min(calibration.launches, launches);
    calibration.cases[case_key(row.params)] = {
        {halving_scatter(medians, kShare)}, {median(medians)}, {typical_floor(row).value_or(0)}};
  }
  if (calibration.cases.empty() && moved > 0)
    throw EnvironmentError("nothing to calibrate: the link itself changed between the launches; do it again");
  if (calibration.cases.empty()) {
    throw EnvironmentError(fmt::format(
        "nothing to calibrate: no case has {} launches; allow more time with --budget", kFewestLaunches));
  }
  return calibration;
}

Calibration joined(const Calibration& earlier, const Calibration& later) {
  if (earlier.launches != later.launches) return later;
  if (same_time(earlier.measured.back(), later.measured.front()))
    return earlier.measured.size() == 1 ? later : joined(without_last(earlier), later);
  Calibration all = earlier;
  const std::size_t before = earlier.measured.size();
  const std::size_t count = before + later.measured.size();
  all.measured.insert(all.measured.end(), later.measured.begin(), later.measured.end());
  for (const auto& [key, more] : later.cases) {
    CalibratedCase& one = all.cases[key];
    while (one.ratio99.size() < before) add_time(one);
    append(one.ratio99, more.ratio99);
    append(one.middle_ns, more.middle_ns);
    append(one.floor_ns, more.floor_ns);
  }
  const std::size_t kept = std::min(count, kMostTimes);
  all.measured.erase(all.measured.begin(), all.measured.end() - static_cast<std::ptrdiff_t>(kept));
  for (auto& [key, one] : all.cases) {
    while (one.ratio99.size() < count) add_time(one);
    for (auto* values : {&one.ratio99, &one.middle_ns, &one.floor_ns}) keep_last(*values, kept);
  }
  std::erase_if(all.cases, [](const auto& named) { return std::ranges::max(named.second.middle_ns) <= 0; });
  return all;
}

Calibration read_calibration(const ScenarioText& text) {
  const TomlDocument document(text);
  const TomlTable root = document.root();
  Calibration calibration;
  calibration.origin = text.origin;
  calibration.measured = root.get<std::vector<std::string>>("measured");
  calibration.launches = root.get<int>("launches", {1, 1000});
  calibration.machine.name = root.get<std::string>("machine");
  const std::size_t times = calibration.measured.size();
  if (times == 0) throw root.error("measured", "a date is needed");
  const TomlTable facts = root.table("facts");
  for (const std::string& fact : facts.keys())
    calibration.machine.facts.emplace_back(fact, facts.get<std::string>(fact));
  for (const TomlTable& row : root.tables("case")) {
    calibration.cases[row.get<std::string>("case")] = {read_numbers(row, "ratio99", times),
                                                       read_numbers(row, "middle_ns", times),
                                                       read_numbers(row, "floor_ns", times)};
  }
  document.finish();
  return calibration;
}

std::string to_toml(const Calibration& calibration) {
  std::string dates;
  for (const std::string& date : calibration.measured) dates += (dates.empty() ? "" : ", ") + quoted(date);
  std::string text = fmt::format("measured = [{}]\nlaunches = {}\nmachine = {}\n\n[facts]\n", dates,
                                 calibration.launches, quoted(calibration.machine.name));
  for (const auto& [fact, value] : calibration.machine.facts)
    text += fmt::format("{} = {}\n", quoted(fact), quoted(value));
  for (const auto& [key, one] : calibration.cases)
    text += fmt::format("\n[[case]]\ncase = {}\nratio99 = [{}]\nmiddle_ns = [{}]\nfloor_ns = [{}]\n",
                        quoted(key), numbers(one.ratio99), numbers(one.middle_ns), numbers(one.floor_ns));
  return text;
}

}  // namespace ringside
