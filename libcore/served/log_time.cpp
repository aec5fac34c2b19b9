#include "served/log_time.hpp"

#include <array>

namespace ringside {

namespace {

constexpr double kDay = 86400;
constexpr int kYear = 2000;  // of what says none: a leap year

bool is_date(int month, int day) {
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

// Days since 1970-01-01 (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
double days(int year, int month, int day) {
  const int y = year - (month <= 2 ? 1 : 0);
  const int era = y / 400, of_era = y - era * 400;
  const int of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097.0 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468.0;
}

// "10:00:00", and a fraction behind '.' or ','.
std::optional<double> take_clock(TextScan& scan) {
  const auto hour = scan.number(2, 2);
  if (!hour || !scan.take(":")) return std::nullopt;
  const auto minute = scan.number(2, 2);
  if (!minute || !scan.take(":")) return std::nullopt;
  const auto second = scan.number(2, 2);
  if (!second || *hour > 24 || *minute > 59 || *second > 60) return std::nullopt;
  double s = *hour * 3600.0 + *minute * 60.0 + *second;
  TextScan behind = scan;
  if (behind.take(".") || behind.take(",")) {
    double unit = 1;
    const std::string_view digits = behind.while_true(TextScan::is_digit);
    for (const char c : digits) s += (unit /= 10) * (c - '0');
    if (!digits.empty()) scan = behind;
  }
  return s;
}

// "2026-03-02", then `between`, then the clock.
std::optional<double> take_date_and_clock(TextScan& scan, std::string_view between) {
  const auto year = scan.number(4, 4);
  if (!year || !scan.take("-")) return std::nullopt;
  const auto month = scan.number(2, 2);
  if (!month || !scan.take("-")) return std::nullopt;
  const auto day = scan.number(2, 2);
  if (!day || !is_date(*month, *day) || !scan.take(between)) return std::nullopt;
  const auto clock = take_clock(scan);
  if (!clock) return std::nullopt;
  return days(*year, *month, *day) * kDay + *clock;
}

template <typename Take>
std::optional<LogTime> whole_or_nothing(TextScan& scan, LogTime::Form form, Take take) {
  TextScan ahead = scan;
  const std::optional<double> s = take(ahead);
  if (!s) return std::nullopt;
  scan = ahead;
  return LogTime{*s, form};
}

}  // namespace

std::optional<double> seconds_between(const std::optional<LogTime>& earlier,
                                      const std::optional<LogTime>& later) {
  if (!earlier || !later || earlier->form != later->form || later->s < earlier->s) return std::nullopt;
  return later->s - earlier->s;
}

std::optional<LogTime> take_dated(TextScan& scan) {
  return whole_or_nothing(scan, LogTime::Form::dated,
                          [](TextScan& ahead) { return take_date_and_clock(ahead, " "); });
}

std::optional<LogTime> take_zoned(TextScan& scan) {
  return whole_or_nothing(scan, LogTime::Form::zoned, [](TextScan& ahead) -> std::optional<double> {
    auto s = take_date_and_clock(ahead, "T");
    if (!s || ahead.take("Z")) return s;
    const double sign = ahead.front() == '-' ? -1 : 1;
    if (!ahead.take("+") && !ahead.take("-")) return s;
    const auto hours = ahead.number(2, 2);
    if (hours) {
      ahead.take(":");
      *s -= sign * (*hours * 3600 + ahead.number(2, 2).value_or(0) * 60);
      return s;
    }
    const auto both = ahead.number(4, 4);
    if (!both) return std::nullopt;
    *s -= sign * (*both / 100 * 3600 + *both % 100 * 60);
    return s;
  });
}

std::optional<LogTime> take_american(TextScan& scan) {
  return whole_or_nothing(scan, LogTime::Form::dated, [](TextScan& ahead) -> std::optional<double> {
    const auto month = ahead.number(2, 2);
    if (!month || !ahead.take("/")) return std::nullopt;
    const auto day = ahead.number(2, 2);
    if (!day || !is_date(*month, *day) || !ahead.take("/")) return std::nullopt;
    const auto year = ahead.number(4, 4);
    if (!year || !ahead.take("-")) return std::nullopt;
    const auto clock = take_clock(ahead);
    if (!clock) return std::nullopt;
    return days(*year, *month, *day) * kDay + *clock;
  });
}

std::optional<LogTime> take_yearless(TextScan& scan) {
  return whole_or_nothing(scan, LogTime::Form::yearless, [](TextScan& ahead) -> std::optional<double> {
    const auto month = ahead.number(2, 2);
    if (!month || !ahead.take("-")) return std::nullopt;
    const auto day = ahead.number(2, 2);
    if (!day || !is_date(*month, *day) || !ahead.take(" ")) return std::nullopt;
    const auto clock = take_clock(ahead);
    if (!clock) return std::nullopt;
    return days(kYear, *month, *day) * kDay + *clock;
  });
}

std::optional<LogTime> take_syslog(TextScan& scan) {
  static constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                               "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  return whole_or_nothing(scan, LogTime::Form::syslog, [](TextScan& ahead) -> std::optional<double> {
    for (std::size_t i = 0; i < kMonths.size(); ++i) {
      if (!ahead.take(kMonths[i])) continue;
      if (ahead.blanks() == 0) return std::nullopt;
      const auto day = ahead.number(1, 2);
      if (!day || !is_date(1, *day) || !ahead.take(" ")) return std::nullopt;
      const auto clock = take_clock(ahead);
      if (!clock) return std::nullopt;
      return days(kYear, static_cast<int>(i) + 1, *day) * kDay + *clock;
    }
    return std::nullopt;
  });
}

}  // namespace ringside
