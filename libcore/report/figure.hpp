#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/interval.hpp"

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
  bool limit = false;      // what can't be beaten, or a line to compare with; not a candidate
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
  bool first_glance = true;  // shown also where there is room for few
};

// How many candidates a figure shows at once: more can't be told apart.
inline constexpr std::size_t kProminent = 8;

}  // namespace ringside
