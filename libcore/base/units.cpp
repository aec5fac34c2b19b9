#include "base/units.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/errors.hpp"
#include "base/text.hpp"

namespace ringside {

std::string format_three_digits(double value) {
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return "0";
  int decimals = 5;
  for (double limit = 0.009995; decimals > 0 && magnitude >= limit; limit *= 10) --decimals;
  return fmt::format("{:.{}f}", value, decimals);
}

std::string format_size(Bytes size) {
  constexpr std::string_view suffixes = "GMK";
  for (int shift = 30; char suffix : suffixes) {
    const std::uint64_t unit = std::uint64_t{1} << shift;
    if (size.count >= unit && size.count % unit == 0) return fmt::format("{}{}", size.count / unit, suffix);
    shift -= 10;
  }
  return fmt::format("{}", size.count);
}

std::string format_bytes(Bytes size) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(size.count);
  std::size_t unit = 0;
  while (value >= 1023.5 && unit + 1 < std::size(units)) {
    value /= 1024;
    ++unit;
  }
  if (unit == 0) return fmt::format("{} B", size.count);
  return fmt::format("{} {}", format_three_digits(value), units[unit]);
}

std::string format_time_ns(double nanoseconds) {
  const double magnitude = std::fabs(nanoseconds);
  if (magnitude < 999.5) return fmt::format("{:.0f} ns", nanoseconds);
  if (magnitude < 999.5e3) return format_three_digits(nanoseconds / 1e3) + " us";
  if (magnitude < 999.5e6) return format_three_digits(nanoseconds / 1e6) + " ms";
  return format_three_digits(nanoseconds / 1e9) + " s";
}

std::string format_gbps(double gigabytes_per_second) {
  return format_three_digits(gigabytes_per_second) + " GB/s";
}

Bytes parse_size(std::string_view text) {
  const std::string_view whole = text;
  const auto fail = [&](const char* why) {
    return UsageError(fmt::format("'{}' is not a size: {} (sizes read 2K, 2KiB, 1.5M, 14336)", whole, why));
  };
  const std::size_t digit = text.starts_with('-') ? 1 : 0;
  if (digit == text.size() || text[digit] < '0' || text[digit] > '9')
    throw fail("it does not begin with a number");
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error == std::errc::result_out_of_range) throw fail("it is too large");
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.ends_with("iB")) {
    text.remove_suffix(2);
    if (text.empty()) throw fail("its unit is unknown");
  } else if (text.ends_with('B')) {
    text.remove_suffix(1);
  }
  constexpr std::string_view suffixes = "KMGT";
  double unit = 1;
  if (!text.empty()) {
    const std::size_t index = suffixes.find(text == "k" ? 'K' : text.front());
    if (text.size() != 1 || index == std::string_view::npos) throw fail("its unit is unknown");
    unit = std::ldexp(1.0, 10 * (static_cast<int>(index) + 1));
  }
  const double bytes = value * unit;
  if (!(bytes >= 0)) throw fail("it is negative");
  if (bytes > 0x1p50) throw fail("it is too large");
  if (bytes != std::floor(bytes)) throw fail("it is no whole number of bytes");
  return {static_cast<std::uint64_t>(bytes)};
}

}  // namespace ringside
