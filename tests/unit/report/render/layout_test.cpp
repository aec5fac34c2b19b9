#include "report/render/text_grid.hpp"
#include "report/render/wrap.hpp"
#include "support/catch.hpp"

using namespace ringside;

TEST_CASE("A grid aligns UTF-8 by columns and leaves no blanks at the ends of lines") {
  const std::vector<GridColumn> columns = {
      {{"name"}, Align::left, {{"größe", {}}, {"x", {}}}},
      {{"time", "us"}, Align::right, {{"1.5 ±8%", {}}, {"20.25", {}}}},
      {{"note"}, Align::left, {{"", {}}, {"é", {}}}},
  };
  CHECK(render_grid(columns, Ansi(false)) ==
        "          time\n"
        "name        us  note\n"
        "größe  1.5 ±8%\n"
        "x        20.25  é\n");
  CHECK(grid_width(columns) == 5 + 2 + 7 + 2 + 4);
}

TEST_CASE("Colour in a grid takes no room and is ended in each cell") {
  const std::vector<GridColumn> columns = {{{"a"}, Align::right, {{"1", Style::winner}}},
                                           {{"b"}, Align::right, {{"22", {}}}}};
  CHECK(render_grid(columns, Ansi(true)) ==
        "\x1b[1ma\x1b[0m   \x1b[1mb\x1b[0m\n"
        "\x1b[1;32m1\x1b[0m  22\n");
}

TEST_CASE("A grid shows control characters instead of obeying them") {
  const std::vector<GridColumn> columns = {{{"a"}, Align::left, {{"x\x1b[2J", {}}}}};
  CHECK(render_grid(columns, Ansi(false)) == "a\nx\\x1b[2J\n");
}

TEST_CASE("Wrapping breaks at blanks and hangs under the first word") {
  CHECK(wrap("error  ", "one two three four", 16) == "error  one two\n       three\n       four\n");
  CHECK(wrap("", "exactly ten", 11) == "exactly ten\n");
  CHECK(wrap("", "exactly ten", 10) == "exactly\nten\n");
}

TEST_CASE("Wrapping keeps a long word whole and counts code points, not bytes") {
  CHECK(wrap("  ", "a /a/very/long/path b", 8) == "  a\n  /a/very/long/path\n  b\n");
  CHECK(wrap("", "äöü äöü", 7) == "äöü äöü\n");
}

TEST_CASE("Wrapping takes newlines and runs of blanks for one blank and shows other control characters") {
  CHECK(wrap("- ", " a\n\n b\t c\x1b[31m ", 40) == "- a b c\\x1b[31m\n");
  CHECK(wrap("label  ", "", 40) == "label\n");
}
