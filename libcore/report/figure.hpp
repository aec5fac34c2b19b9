#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/writer.hpp"

namespace ringside {

// Curves that people look at, apart from how they are drawn: on a page, or on a terminal.

enum class AxisQuantity { bytes, nanoseconds, gbps, ratio, number };
enum class Scale { linear, logarithmic };

struct Axis {
  std::string title;
  AxisQuantity quantity = AxisQuantity::number;
  Scale scale = Scale::linear;
};

struct FigurePoint {
  double x = 0;
  double y = 0;
  std::optional<Interval> interval;  // of y; the caption says which
};

struct FigureSeries {
  std::string name;
  bool limit = false;      // what can't be beaten, or a line to compare with; not a contestant
  bool prominent = false;  // shown at once; the others when they are asked for
  std::vector<FigurePoint> points =
      {};  // ascending x; all numbers are finite, and above 0 on a logarithmic axis
};

struct Figure {
  std::string id;       // unique on a page, a valid fragment
  std::string group;    // figures of one block stand together: "allreduce bf16 graph, 2 ranks on cuda"
  std::string title;    // "latency"
  std::string caption;  // how to read it, one sentence
  Axis x, y;
  std::vector<FigureSeries> series;
};

// How many contestants a figure shows at once: more can't be told apart.
inline constexpr std::size_t kProminent = 8;

// Of each block: latency with its interval and the floor, bus bandwidth with the link's limit, the ratio to
// the best of each size; where a block was measured in both modes, what a call takes eager and in a graph.
// Several Documents share the figures of their blocks: a series is then called "result: strategy".
std::vector<Figure> sweep_figures(std::span<const NamedDocument> documents);

// Of run-spec: tokens a second over the acceptance length (as a ratio to the plain server, so that a curve
// breaks even where it crosses 1), over the time of a call, and over the number of draft tokens. Without
// curves: none.
std::vector<Figure> spec_figures(const SpecResult& spec);

// Of each block of a comparison: new / base over size with its 90 % interval, and the thresholds beyond which
// a change counts. A page of a comparison has these in the place of sweep_figures().
std::vector<Figure> comparison_figures(const Document& document);

}  // namespace ringside
