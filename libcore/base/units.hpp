#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ringside {

// A number of bytes: message sizes, buffers, memory.
struct Bytes {
  std::uint64_t count = 0;
  auto operator<=>(const Bytes&) const = default;
};

constexpr Bytes operator""_B(unsigned long long n) {
  return {n};
}
constexpr Bytes operator""_KiB(unsigned long long n) {
  return {n << 10};
}
constexpr Bytes operator""_MiB(unsigned long long n) {
  return {n << 20};
}

// "0.0583", "1.83", "18.3", "183", "18301": three significant digits or all before the point, no exponent.
std::string format_three_digits(double value);

// "2K", "14336", "16M": the shortest exact form with binary multiples; what --sizes reads and tables show.
std::string format_size(Bytes size);

// "512 B", "2.00 KiB", "1.50 GiB": for people, three significant digits.
std::string format_bytes(Bytes size);

// "850 ns", "1.83 us", "12.4 ms", "3.20 s": three significant digits and the unit.
std::string format_time_ns(double nanoseconds);

// "376 GB/s": three significant digits; decimal gigabytes.
std::string format_gbps(double gigabytes_per_second);

// One size: "2K", "2KiB", "14336", "1.5M". Throws UsageError that names the text.
Bytes parse_size(std::string_view text);

}  // namespace ringside
