#include "report/render/plot.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "report/render/plot_canvas.hpp"
#include "report/views/figures.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/sample_document.hpp"

using namespace ringside;
using namespace ringside::test;

namespace {

Figure latency(const SampleDocument& sample) {
  const NamedDocument alone{"", &sample.document};
  return sweep_figures({&alone, 1}).front();
}

}  // namespace

TEST_CASE("A sweep is drawn with a letter for each strategy, lines between them, and sizes below") {
  const std::string text = render_plot(latency(host_sweep()), {});
  CHECK(text == golden("data/golden/report/plot_host.txt", text));
}

TEST_CASE("Without Unicode a plot is ASCII") {
  const std::string text = render_plot(latency(host_sweep()), {.unicode = false});
  CHECK(text == golden("data/golden/report/plot_host_ascii.txt", text));
  CHECK(std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) > 0x7e; }));
}

TEST_CASE("A plot is never wider than it may be") {
  for (const int width : {40, 80, 100}) {
    for (const std::string& line : split(render_plot(latency(host_sweep()), {.width = width}), '\n'))
      CHECK(display_width(line) <= static_cast<std::size_t>(width));
  }
}

TEST_CASE("Where there is nothing to draw there is no plot, and one point is one letter") {
  CHECK(render_plot(Figure{}, {}).empty());
  SampleDocument sample;
  sample.timed("ring", 2_KiB, 1);
  CHECK(render_plot(latency(sample), {}).find("a ring") != std::string::npos);
}

TEST_CASE("A canvas has eight dots a cell, and letters stay on top of lines") {
  PlotCanvas canvas(3, 1);
  canvas.line(0, 0, 5, 0, false);
  CHECK(canvas.row(0, true) == "⠉⠉⠉");
  CHECK(canvas.row(0, false) == "...");
  canvas.letter(2, 3, 'a');
  canvas.letter(3, 0, 'b');
  CHECK(canvas.row(0, true) == "⠉a⠉");
  canvas.letter(100, 0, 'c');  // outside: not drawn
  canvas.line(-5, -5, 100, 100, false);
  CHECK(canvas.row(0, false).size() == 3);
}
