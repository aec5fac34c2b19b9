#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ringside {

// Where a plot is drawn: cells of 2 x 4 dots, as Braille has them, some with a letter instead. Coordinates
// are dots from the upper left.
class PlotCanvas {
 public:
  PlotCanvas(std::size_t columns, std::size_t rows);

  int width() const { return static_cast<int>(columns_) * 2; }  // dots
  int height() const { return static_cast<int>(rows_) * 4; }
  void line(int x0, int y0, int x1, int y1, bool dashed);
  // A letter keeps the place of one that was written there before.
  void letter(int x, int y, char letter);
  // The cells of a row as text, one column each. Without `unicode` a cell with dots is a full stop.
  std::string row(std::size_t row, bool unicode) const;

 private:
  void dot(int x, int y);
  std::size_t cell(int x, int y) const;

  std::size_t columns_, rows_;
  std::vector<unsigned> dots_;  // Braille's eight bits, for each cell
  std::vector<char> letters_;   // 0: none
};

}  // namespace ringside
