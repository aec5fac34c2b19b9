#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/printable.hpp"
#include "report/render/html/page.hpp"
#include "report/render/markup.hpp"

namespace ringside {
namespace {

using Json = nlohmann::ordered_json;

const char* word(AxisQuantity quantity) {
  switch (quantity) {
    case AxisQuantity::bytes:
      return "bytes";
    case AxisQuantity::nanoseconds:
      return "nanoseconds";
    case AxisQuantity::gbps:
      return "gbps";
    case AxisQuantity::ratio:
      return "ratio";
    case AxisQuantity::number:
      break;
  }
  return "number";
}

// Six digits: more than a pixel shows. Sizes stay whole, as they are compared.
double rounded(double value) {
  return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr);
}

Json axis_json(const Axis& axis) {
  return {{"title", axis.title},
          {"quantity", word(axis.quantity)},
          {"scale", axis.scale == Scale::linear ? "linear" : "logarithmic"}};
}

Json series_json(const FigureSeries& series) {
  Json points = Json::array();
  for (const FigurePoint& point : series.points) {
    Json numbers = {point.x, rounded(point.y)};
    if (point.interval) {
      numbers.push_back(rounded(point.interval->low));
      numbers.push_back(rounded(point.interval->high));
    }
    points.push_back(std::move(numbers));
  }
  return {{"name", series.name},
          {"limit", series.limit},
          {"prominent", series.prominent},
          {"points", std::move(points)}};
}

Json figure_json(const Figure& figure) {
  Json series = Json::array();
  for (const FigureSeries& one : figure.series) series.push_back(series_json(one));
  return {{"id", figure.id},
          {"x", axis_json(figure.x)},
          {"y", axis_json(figure.y)},
          {"series", std::move(series)}};
}

// Inside a script element only "<" can end it, or begin what changes how its end is found.
std::string for_script(const std::string& json) {
  std::string safe;
  safe.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace

std::string figures_html(std::span<const Figure> figures) {
  std::string text;
  std::size_t groups = 0;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const Figure& figure = figures[i];
    if (i == 0 || figures[i - 1].group != figure.group) {
      if (i > 0) text += "</div>\n";
      text += fmt::format(
          "<h3>{}</h3>\n<div class=\"legend\" id=\"legend-{}\" role=\"group\" aria-label=\"curves "
          "shown\"></div>\n"
          "<div class=\"figures\">\n",
          markup_escaped(figure.group), groups++);
    }
    text += fmt::format(
        "<figure><h4>{0}</h4><div class=\"canvas\"><canvas id=\"{1}\" tabindex=\"0\" role=\"img\" "
        "aria-label=\"{0}: {2} over {3}. The tables hold the numbers; the arrow keys step through the "
        "curves.\">"
        "</canvas></div><figcaption>{4}</figcaption></figure>\n",
        markup_escaped(figure.title), markup_escaped(figure.id), markup_escaped(figure.y.title),
        markup_escaped(figure.x.title), markup_escaped(figure.caption));
  }
  return text.empty() ? text : text + "</div>\n";
}

std::string figures_json(std::span<const Figure> figures) {
  Json groups = Json::array();
  for (std::size_t i = 0; i < figures.size(); ++i) {
    if (i == 0 || figures[i - 1].group != figures[i].group)
      groups.push_back({{"name", figures[i].group}, {"figures", Json::array()}});
    groups.back()["figures"].push_back(figure_json(figures[i]));
  }
  return for_script(harmless_json(groups.dump(-1, ' ', true, Json::error_handler_t::replace)));
}

}  // namespace ringside
