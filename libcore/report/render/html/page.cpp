#include "report/render/html/page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/build_info.hpp"
#include "report/render/markup.hpp"

namespace ringside {
namespace {

std::string_view file_text(std::string_view name) {
  const auto files = embedded_page();
  return std::ranges::find(files, name, &PageFile::name)->text;
}

// FNV-1a of what the page says. Only scripts with this word in their tag are run, so nothing that a Document
// smuggles in would be; and the same Document gives the same page.
std::string nonce(const Page& page) {
  std::uint64_t hash = 14695981039346656037u;
  const auto add = [&](std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  };
  add(page.title);
  add(page.lede);
  for (const auto& [title, content] : page.sections) add(content);
  return fmt::format("{:016x}", hash);
}

std::string anchor(std::string_view heading) {
  std::string id(heading);
  std::ranges::replace(id, ' ', '-');
  return id;
}

std::string chart_script() {
  const auto chart = embedded_chart();
  return chart.empty() ? "" : std::string(file_text("chart-licence.txt")).append(chart.front().text);
}

struct Place {
  std::string_view name;
  std::string content;
};

// The template with each {{name}} replaced; what is put in is not looked at again.
std::string filled(std::string_view text, std::span<const Place> places) {
  std::string page;
  for (;;) {
    const std::size_t open = text.find("{{");
    const std::size_t close = text.find("}}", open);
    if (close == std::string_view::npos) return page.append(text);
    const std::string_view name = text.substr(open + 2, close - open - 2);
    page.append(text.substr(0, open)).append(std::ranges::find(places, name, &Place::name)->content);
    text.remove_prefix(close + 2);
  }
}

}  // namespace

std::string render_page(const Page& page) {
  std::string nav, body;
  for (const auto& [heading, content] : page.sections) {
    if (content.empty()) continue;
    nav += fmt::format("<a href=\"#{}\">{}</a> ", anchor(heading), heading);
    body += fmt::format(
        "<section id=\"{0}\" aria-labelledby=\"{0}-heading\">\n<h2 id=\"{0}-heading\">{1}</h2>\n{2}"
        "</section>\n",
        anchor(heading), heading, content);
  }
  const Place places[] = {
      {"title", markup_escaped(page.title)},
      {"command", markup_escaped(page.command)},
      {"generator", markup_escaped("ringside " + std::string(build_info().version))},
      {"nonce", nonce(page)},
      {"style", std::string(file_text("style.css"))},
      {"lede", page.lede},
      {"nav", nav},
      {"body", body},
      {"footer", fmt::format("<p>Made by ringside {}; this file needs no network.</p>",
                             markup_escaped(build_info().version))},
      {"figures", figures_json(page.figures)},
      {"chartjs", chart_script()},
      {"script", std::string(file_text("charts.js"))},
  };
  return filled(file_text("page.html"), places);
}

std::string facts_html(const Facts& facts) {
  if (facts.empty()) return "";
  std::string text = "<dl class=\"facts\">\n";
  for (const auto& [name, value] : facts)
    text += fmt::format("<dt>{}</dt><dd>{}</dd>\n", markup_escaped(name), markup_escaped(value));
  return text + "</dl>\n";
}

std::string folded_html(std::string_view title, const std::string& content) {
  return fmt::format("<details class=\"fold\"><summary>{}</summary>\n{}</details>\n", markup_escaped(title),
                     content);
}

}  // namespace ringside
