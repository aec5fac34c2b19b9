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

bool same_time(const std::string& one, const std::string& other) {
  const auto a = seconds_of(one);
  const auto b = seconds_of(other);
  return a && b && std::abs(*a - *b) < kApartSeconds;
}

// Whether the case has a part in a calibration.
enum class Calibrated { yes, skipped, failed, few, moved };

Calibrated calibrated(const Row& row) {
  if (row.status == Status::skipped) return Calibrated::skipped;  // its own finding says why
  if (row.status != Status::pass) return Calibrated::failed;
  if (launch_medians(row).size() < kFewestLaunches) return Calibrated::few;
  return moved_floors(sorted_floors(row)) ? Calibrated::moved : Calibrated::yes;
}

std::size_t count(const Document& document, Calibrated how) {
  return static_cast<std::size_t>(
      std::ranges::count_if(document.rows, [&](const Row& row) { return calibrated(row) == how; }));
}

// What halves of `launches` launches would have shown; of more launches no less than what these showed.
double at_launches(double ratio99, int own, int launches) {
  return ratio99 * std::sqrt(std::max(1.0, own / static_cast<double>(launches)));
}

template <typename Change>
void change_all(CalibratedCase& one, Change change) {
  for (auto* values : {&one.ratio99, &one.middle_ns, &one.floor_ns}) change(*values);
}

void take_as_of(int launches, Calibration& calibration) {
  for (auto& [key, one] : calibration.cases)
    for (double& ratio : one.ratio99) ratio = at_launches(ratio, calibration.launches, launches);
  calibration.launches = launches;
}

// The place of that date among the times, with a new one where there is none as yet; 0 in it: not measured.
std::size_t place_of(const std::string& date, Calibration& all) {
  const auto same =
      std::ranges::find_if(all.measured, [&](const std::string& other) { return same_time(other, date); });
  if (same != all.measured.end()) {
    *same = std::max(*same, date);
    return static_cast<std::size_t>(same - all.measured.begin());
  }
  const auto after = std::ranges::find_if(all.measured, [at = seconds_of(date)](const std::string& other) {
    const auto then = seconds_of(other);
    return at && then && *then > *at;
  });
  const auto place = after - all.measured.begin();
  all.measured.insert(after, date);
  for (auto& [key, one] : all.cases)
    change_all(one, [&](std::vector<double>& values) { values.insert(values.begin() + place, 0); });
  return static_cast<std::size_t>(place);
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
  for (const Row& row : document.rows) {
    if (calibrated(row) != Calibrated::yes) continue;
    const int launches = static_cast<int>(launch_medians(row).size() / 2);
    calibration.launches = calibration.launches == 0 ? launches : std::min(calibration.launches, launches);
  }
  for (const Row& row : document.rows) {
    if (calibrated(row) != Calibrated::yes) continue;
    const std::vector<double> medians = launch_medians(row);
    const double ratio99 = at_launches(halving_scatter(medians, kShare), static_cast<int>(medians.size() / 2),
                                       calibration.launches);
    calibration.cases[case_key(row.params)] = {
        {ratio99}, {median(medians)}, {typical_floor(row).value_or(0)}};
  }
  if (!calibration.cases.empty()) return calibration;
  if (count(document, Calibrated::moved) > 0)
    throw EnvironmentError("nothing to calibrate: the link itself changed between the launches; do it again");
  throw EnvironmentError(fmt::format(
      "nothing to calibrate: no case has {} launches; allow more time with --budget", kFewestLaunches));
}

std::vector<std::string> left_out_of_calibration(const Document& document) {
  std::vector<std::string> reasons;
  const auto add = [&](Calibrated how, const std::string& text) {
    if (const std::size_t rows = count(document, how); rows > 0)
      reasons.push_back(fmt::format("{} case{} {}", rows, rows == 1 ? "" : "s", text));
  };
  add(Calibrated::few, fmt::format("with fewer than {} launches", kFewestLaunches));
  add(Calibrated::moved, "between whose launches the link itself changed");
  add(Calibrated::failed, "that failed");
  return reasons;
}

Calibration joined(const Calibration& earlier, const Calibration& later) {
  Calibration all = earlier;
  Calibration more = later;
  const int launches = std::min(earlier.launches, later.launches);
  take_as_of(launches, all);
  take_as_of(launches, more);
  for (std::size_t time = 0; time < more.measured.size(); ++time) {
    const std::size_t place = place_of(more.measured[time], all);
    for (const auto& [key, one] : more.cases) {
      if (one.middle_ns[time] <= 0) continue;  // not measured then
      CalibratedCase& into = all.cases[key];
      change_all(into, [&](std::vector<double>& values) { values.resize(all.measured.size()); });
      into.ratio99[place] = one.ratio99[time];
      into.middle_ns[place] = one.middle_ns[time];
      into.floor_ns[place] = one.floor_ns[time];
    }
  }
  const std::size_t kept = std::min(all.measured.size(), kMostTimes);
  all.measured.erase(all.measured.begin(), all.measured.end() - static_cast<std::ptrdiff_t>(kept));
  for (auto& [key, one] : all.cases)
    change_all(one, [&](std::vector<double>& values) { keep_last(values, kept); });
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
