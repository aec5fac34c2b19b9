#include "report/progress_line.hpp"

#include <limits>

#include "base/text.hpp"
#include "support/catch.hpp"

using namespace ringside;
using namespace std::chrono_literals;

namespace {

constexpr std::string_view kCase = "nccl-ring:ll128 16M bf16 graph, round 7";

}  // namespace

TEST_CASE("A progress line is the part done, what runs, and the time left") {
  CHECK(progress_line("ring 2K, round 7", 0.374, 18s, 80) == " 37%  ring 2K, round 7  18 s left");
  CHECK(progress_line("ring 2K, round 7", 0.374, -1s, 80) == " 37%  ring 2K, round 7");
  CHECK(progress_line("", 1, 0s, 80) == "100%  0 s left");
}

TEST_CASE("A progress line gives up the middle of its text, then the time left, then the text") {
  CHECK(progress_line(kCase, 0.5, 125s, 60) ==
        " 50%  nccl-ring:ll128 16...16 graph, round 7  2 min 5 s left");
  CHECK(progress_line(kCase, 0.5, 125s, 30) == " 50%  nccl-ring:l...h, round 7");
  CHECK(progress_line(kCase, 0.5, 125s, 12) == " 50%");
  CHECK(progress_line(kCase, 0.5, 125s, 3).empty());
}

TEST_CASE("A progress line is never wider than asked") {
  for (std::size_t width = 0; width <= 90; ++width) {
    INFO("width " << width);
    CHECK(display_width(progress_line(kCase, 0.5, 125s, width)) <= width);
    CHECK(display_width(progress_line("größe ±8 % überall, Runde 7", 0.5, 125s, width)) <= width);
  }
}

TEST_CASE("A part done below 0, above 1 or not a number is put right, and 100% means done") {
  CHECK(progress_line("x", -0.2, -1s, 80) == "  0%  x");
  CHECK(progress_line("x", 1.7, -1s, 80) == "100%  x");
  CHECK(progress_line("x", std::numeric_limits<double>::quiet_NaN(), -1s, 80) == "  0%  x");
  CHECK(progress_line("x", 0.999, -1s, 80) == " 99%  x");
}

TEST_CASE("A progress line holds no control characters") {
  CHECK(progress_line("a\nb\x1b[2J", 0, -1s, 80) == "  0%  a\\nb\\x1b[2J");
}

TEST_CASE("Eliding keeps both ends and cuts between code points") {
  CHECK(elide_middle("abcdefghij", 10) == "abcdefghij");
  CHECK(elide_middle("abcdefghij", 9) == "abc...hij");
  CHECK(elide_middle("abcdefghij", 8) == "abc...ij");
  CHECK(elide_middle("äöüäöüäöüä", 9) == "äöü...öüä");
  CHECK(elide_middle("abcdefghij", 2) == "..");
  CHECK(elide_middle("abcdefghij", 0).empty());
}
