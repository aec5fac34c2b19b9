#include "base/units.hpp"

#include <string>

#include "base/errors.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

// What parse_size says about a text that it must refuse.
std::string refusal(std::string_view text) {
  try {
    const Bytes size = parse_size(text);
    return "accepted as " + std::to_string(size.count);
  } catch (const UsageError& error) {
    CHECK(error.code() == ExitCode::usage);
    return error.what();
  }
}

}  // namespace

TEST_CASE("a size reads with and without a unit, binary multiples all") {
  CHECK(parse_size("0") == 0_B);
  CHECK(parse_size("14336") == 14336_B);
  CHECK(parse_size("5B") == 5_B);
  for (const char* text : {"2K", "2k", "2KB", "2KiB", "2048"}) CHECK(parse_size(text) == 2_KiB);
  CHECK(parse_size("1.5M") == 1536_KiB);
  CHECK(parse_size("3GiB") == 3072_MiB);
  CHECK(parse_size("1T") == Bytes{std::uint64_t{1} << 40});
}

TEST_CASE("a text that is no size is refused with the text and the reason") {
  CHECK(refusal("") ==
        "'' is not a size: it does not begin with a number (sizes read 2K, 2KiB, 1.5M, 14336)");
  for (const char* text : {"K", "nan", "inf", "-", "-inf", " 2K", "x10"}) {
    CHECK_THAT(refusal(text),
               Catch::Matchers::StartsWith("'" + std::string(text) + "' is not a size: it does not begin"));
  }
  for (const char* text : {"2X", "2iB", "2KK", "2 K", "1e3", "0x10", "2KIB", "1.2.3"}) {
    CHECK_THAT(refusal(text),
               Catch::Matchers::StartsWith("'" + std::string(text) + "' is not a size: its unit is unknown"));
  }
  CHECK_THAT(refusal("-1K"), Catch::Matchers::StartsWith("'-1K' is not a size: it is negative"));
  CHECK_THAT(refusal("0.3K"),
             Catch::Matchers::StartsWith("'0.3K' is not a size: it is no whole number of bytes"));
  CHECK_THAT(refusal("1025T"), Catch::Matchers::StartsWith("'1025T' is not a size: it is too large"));
  CHECK_THAT(refusal(std::string(400, '9')), Catch::Matchers::StartsWith("'9"));
}

TEST_CASE("a size is written in the shortest exact form, and reads back as itself") {
  CHECK(format_size(0_B) == "0");
  CHECK(format_size(1000_B) == "1000");
  CHECK(format_size(1025_B) == "1025");
  CHECK(format_size(2_KiB) == "2K");
  CHECK(format_size(1536_KiB) == "1536K");
  CHECK(format_size(16_MiB) == "16M");
  CHECK(format_size(4096_MiB) == "4G");
  for (const std::uint64_t count :
       {1ull, 1023ull, 1024ull, 14336ull, 1ull << 20, (1ull << 33) + 1, 1ull << 49}) {
    CHECK(parse_size(format_size({count})) == Bytes{count});
  }
}

TEST_CASE("bytes for people have three significant digits and never four before the next unit") {
  CHECK(format_bytes(0_B) == "0 B");
  CHECK(format_bytes(1023_B) == "1023 B");
  CHECK(format_bytes(2_KiB) == "2.00 KiB");
  CHECK(format_bytes(1536_MiB) == "1.50 GiB");
  CHECK(format_bytes({(1u << 20) - 1}) == "1.00 MiB");
  CHECK(format_bytes({std::uint64_t{2048} << 40}) == "2048 TiB");
}

TEST_CASE("a time has three significant digits and the unit that fits") {
  CHECK(format_time_ns(0) == "0 ns");
  CHECK(format_time_ns(850.4) == "850 ns");
  CHECK(format_time_ns(999.4) == "999 ns");
  CHECK(format_time_ns(999.6) == "1.00 us");
  CHECK(format_time_ns(1830) == "1.83 us");
  CHECK(format_time_ns(12'400) == "12.4 us");
  CHECK(format_time_ns(99'960) == "100 us");
  CHECK(format_time_ns(999'600) == "1.00 ms");
  CHECK(format_time_ns(12.4e6) == "12.4 ms");
  CHECK(format_time_ns(3.2e9) == "3.20 s");
  CHECK(format_time_ns(-1830) == "-1.83 us");
}

TEST_CASE("a bandwidth is in decimal gigabytes per second") {
  CHECK(format_gbps(376.2) == "376 GB/s");
  CHECK(format_gbps(37.62) == "37.6 GB/s");
  CHECK(format_gbps(0.5) == "0.500 GB/s");
}
