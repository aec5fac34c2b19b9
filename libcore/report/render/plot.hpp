#pragma once

#include <string>

#include "report/figure.hpp"

namespace ringside {

struct PlotOptions {
  int width = 80;       // columns
  int height = 18;      // lines of the drawing itself
  bool unicode = true;  // lines of Braille dots; else of ASCII
};

// A figure for a terminal: each prominent candidate has a letter at its points and a line between them,
// limits a line alone; below it stands who is who, in the order in which the curves end. Empty where there is
// nothing to draw.
std::string render_plot(const Figure& figure, const PlotOptions& options);

}  // namespace ringside
