#include "report/render/plot_canvas.hpp"

#include <algorithm>
#include <cstdlib>

namespace ringside {
namespace {

// Braille numbers its dots by columns, but for the lowest two, which came later.
constexpr unsigned kBits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
constexpr int kDash = 4;  // dots of a dash and of the gap behind it

void append_braille(std::string& text, unsigned bits) {
  const unsigned code = 0x2800 + bits;  // three bytes of UTF-8
  text += static_cast<char>(0xe0 | (code >> 12));
  text += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
  text += static_cast<char>(0x80 | (code & 0x3f));
}

}  // namespace

PlotCanvas::PlotCanvas(std::size_t columns, std::size_t rows)
    : columns_(columns), rows_(rows), dots_(columns * rows), letters_(columns * rows) {}

std::size_t PlotCanvas::cell(int x, int y) const {
  return static_cast<std::size_t>(y / 4) * columns_ + static_cast<std::size_t>(x / 2);
}

void PlotCanvas::dot(int x, int y) {
  if (x < 0 || y < 0 || x >= width() || y >= height()) return;
  dots_[cell(x, y)] |= kBits[y % 4][x % 2];
}

void PlotCanvas::line(int x0, int y0, int x1, int y1, bool dashed) {
  const int steps = std::max({std::abs(x1 - x0), std::abs(y1 - y0), 1});
  for (int i = 0; i <= steps; ++i) {
    if (dashed && i / kDash % 2 == 1) continue;
    const double part = static_cast<double>(i) / steps;
    dot(x0 + static_cast<int>((x1 - x0) * part + (x1 < x0 ? -0.5 : 0.5)),
        y0 + static_cast<int>((y1 - y0) * part + (y1 < y0 ? -0.5 : 0.5)));
  }
}

void PlotCanvas::letter(int x, int y, char letter) {
  if (x < 0 || y < 0 || x >= width() || y >= height()) return;
  char& place = letters_[cell(x, y)];
  if (place == 0) place = letter;
}

std::string PlotCanvas::row(std::size_t row, bool unicode) const {
  std::string text;
  for (std::size_t i = row * columns_; i < (row + 1) * columns_; ++i) {
    if (letters_[i] != 0) {
      text += letters_[i];
    } else if (dots_[i] == 0) {
      text += ' ';
    } else if (unicode) {
      append_braille(text, dots_[i]);
    } else {
      text += '.';
    }
  }
  return text;
}

}  // namespace ringside
