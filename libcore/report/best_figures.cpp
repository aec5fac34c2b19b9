#include "report/best_figures.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

namespace ringside {
namespace {

template <typename Text>
void add_figure(std::vector<BestFigure>& figures, const SweepBlock& block, std::vector<std::string> header,
                std::optional<double> Row::*number, Text text) {
  BestFigure figure{std::move(header), {}};
  bool any = false;
  for (const SizeLine& line : block.lines) {
    const std::optional<double> value = line.best == nullptr ? std::nullopt : line.best->*number;
    const bool there = value && std::isfinite(*value);
    figure.texts.push_back(there ? text(*value) : "");
    any |= there;
  }
  if (any) figures.push_back(std::move(figure));
}

}  // namespace

std::vector<BestFigure> best_figures(const SweepBlock& block) {
  std::vector<BestFigure> figures;
  add_figure(figures, block, {"busbw", "GB/s"}, &Row::busbw_gbps, format_three_digits);
  add_figure(figures, block, {"of", "floor"}, &Row::of_floor,
             [](double part) { return fmt::format("{:.0f}%", 100 * part); });
  return figures;
}

}  // namespace ringside
