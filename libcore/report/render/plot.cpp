#include "report/render/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "base/units.hpp"
#include "report/render/plot_canvas.hpp"
#include "report/render/wrap.hpp"

namespace ringside {
namespace {

constexpr std::size_t kLabel = 9;  // columns left of the axis
constexpr int kNarrowest = 40;

std::string number_text(double value, AxisQuantity quantity) {
  switch (quantity) {
    case AxisQuantity::bytes:
      return format_size({static_cast<std::uint64_t>(std::min(value, 0x1p63))});
    case AxisQuantity::nanoseconds:
      return format_time_ns(value);
    case AxisQuantity::gbps:
      return format_gbps(value);
    case AxisQuantity::ratio:
      return fmt::format("{:g}x", value);
    case AxisQuantity::number:
      break;
  }
  return fmt::format("{:g}", value);
}

// A range of numbers on so many dots.
class Ruler {
 public:
  Ruler(double low, double high, Scale scale, int dots)
      : logarithmic_(scale == Scale::logarithmic),
        low_(warped(low)),
        span_(warped(high) - low_),
        dots_(dots) {}
  int at(double value) const {
    const double part = span_ > 0 ? (warped(value) - low_) / span_ : 0.5;
    return static_cast<int>(part * (dots_ - 1) + 0.5);
  }

 private:
  double warped(double value) const { return logarithmic_ ? std::log10(value) : value; }

  bool logarithmic_;
  double low_, span_;
  int dots_;
};

// Round numbers from `low` to `high`: 1, 2, 5 in each decade, or some eight even steps.
std::vector<double> ticks(double low, double high, Scale scale) {
  std::vector<double> values;
  if (scale == Scale::logarithmic) {
    for (int decade = static_cast<int>(std::floor(std::log10(low))); decade <= std::log10(high); ++decade) {
      for (const double mark : {1.0, 2.0, 5.0}) {
        const double value = mark * std::pow(10, decade);
        if (value >= low * 0.999 && value <= high * 1.001) values.push_back(value);
      }
    }
    return values;
  }
  const double raw = std::max((high - low) / 8, 1e-300);
  const double decade = std::pow(10, std::floor(std::log10(raw)));
  const double step = decade * (raw > 5 * decade ? 10 : raw > 2 * decade ? 5 : raw > decade ? 2 : 1);
  for (double value = std::ceil(low / step) * step; value <= high * (1 + 1e-9) && values.size() < 20;
       value += step)
    values.push_back(value);
  return values;
}

class Plot {
 public:
  Plot(const Figure& figure, const PlotOptions& options)
      : figure_(figure),
        options_(options),
        columns_(static_cast<std::size_t>(std::max(options.width, kNarrowest)) - kLabel - 2),
        canvas_(columns_, static_cast<std::size_t>(options.height)) {
    for (const FigureSeries& series : figure.series) {
      if (!series.prominent || series.points.empty()) continue;
      (series.limit ? limits_ : curves_).push_back(&series);
      for (const FigurePoint& point : series.points) {
        x_low_ = std::min(x_low_, point.x);
        x_high_ = std::max(x_high_, point.x);
        y_low_ = std::min(y_low_, point.y);
        y_high_ = std::max(y_high_, point.y);
      }
    }
    // Who ends highest is named first, as the eye goes.
    std::ranges::stable_sort(curves_, std::greater{},
                             [](const FigureSeries* s) { return s->points.back().y; });
  }

  std::string render() {
    if (curves_.empty()) return "";
    draw();
    const int width = std::max(options_.width, kNarrowest);
    std::string text =
        wrap("", fmt::format("{}: {}", figure_.group, figure_.title), static_cast<std::size_t>(width));
    return text + drawing() + x_axis() + legend(static_cast<std::size_t>(width));
  }

 private:
  static char letter(std::size_t curve) { return static_cast<char>('a' + curve); }
  Ruler x_ruler() const { return {x_low_, x_high_, figure_.x.scale, canvas_.width()}; }
  Ruler y_ruler() const { return {y_low_, y_high_, figure_.y.scale, canvas_.height()}; }
  int y_at(double value) const { return canvas_.height() - 1 - y_ruler().at(value); }

  void draw() {
    const Ruler x = x_ruler();
    const auto lines = [&](const FigureSeries& series) {
      for (std::size_t i = 1; i < series.points.size(); ++i) {
        const FigurePoint &from = series.points[i - 1], &to = series.points[i];
        canvas_.line(x.at(from.x), y_at(from.y), x.at(to.x), y_at(to.y), series.limit);
      }
    };
    for (const FigureSeries* series : limits_) lines(*series);
    for (std::size_t i = 0; i < curves_.size(); ++i) {
      lines(*curves_[i]);
      for (const FigurePoint& point : curves_[i]->points)
        canvas_.letter(x.at(point.x), y_at(point.y), letter(i));
    }
  }

  std::string drawing() const {
    std::vector<std::string> labels(static_cast<std::size_t>(options_.height));
    for (const double value : ticks(y_low_, y_high_, figure_.y.scale)) {
      std::string& label = labels[static_cast<std::size_t>(y_at(value) / 4)];
      if (label.empty()) label = number_text(value, figure_.y.quantity);
    }
    std::string text;
    for (std::size_t row = 0; row < labels.size(); ++row) {
      const char* axis = options_.unicode      ? (labels[row].empty() ? "│" : "┤")
                         : labels[row].empty() ? "|"
                                               : "+";
      std::string line = pad(labels[row], kLabel, true) + ' ' + axis + canvas_.row(row, options_.unicode);
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + '\n';
    }
    return text;
  }

  // The places of the points where sizes are shown, round numbers elsewhere; as many labels as have room.
  std::string x_axis() const {
    std::vector<double> values;
    if (figure_.x.quantity == AxisQuantity::bytes) {
      for (const FigurePoint& point : curves_.front()->points) values.push_back(point.x);
    } else {
      values = ticks(x_low_, x_high_, figure_.x.scale);
    }
    const Ruler ruler = x_ruler();
    std::string rule, labels;
    for (const double value : values) {
      const std::string label = number_text(value, figure_.x.quantity);
      const auto at = static_cast<std::size_t>(ruler.at(value) / 2);
      const std::size_t begin =
          std::min(at < label.size() / 2 ? 0 : at - label.size() / 2, columns_ - label.size());
      if (!labels.empty() && labels.size() + 1 > begin) continue;
      labels.resize(begin, ' ');
      labels += label;
    }
    for (std::size_t i = 0; i < columns_; ++i) rule += options_.unicode ? "─" : "-";
    return std::string(kLabel + 1, ' ') + (options_.unicode ? "└" : "+") + rule + '\n' +
           std::string(kLabel + 2, ' ') + labels + '\n';
  }

  std::string legend(std::size_t width) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < curves_.size(); ++i)
      names.push_back(fmt::format("{} {}", letter(i), curves_[i]->name));
    for (const FigureSeries* series : limits_) names.push_back("- - " + series->name);
    const auto hidden = std::ranges::count(figure_.series, false, &FigureSeries::prominent);
    if (hidden > 0) names.push_back(fmt::format("({} more in the table)", hidden));
    return wrap(std::string(kLabel + 2, ' '), join(names, "   "), width);
  }

  const Figure& figure_;
  const PlotOptions& options_;
  std::size_t columns_;
  PlotCanvas canvas_;
  std::vector<const FigureSeries*> curves_, limits_;
  double x_low_ = HUGE_VAL, x_high_ = -HUGE_VAL, y_low_ = HUGE_VAL, y_high_ = -HUGE_VAL;
};

}  // namespace

std::string render_plot(const Figure& figure, const PlotOptions& options) {
  return Plot(figure, options).render();
}

}  // namespace ringside
