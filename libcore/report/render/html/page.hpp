#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/view.hpp"

namespace ringside {

// The parts of an HTML report. Whatever comes from a View is escaped here, once.

// A file of the page that is embedded in this binary: its template, style and scripts.
struct PageFile {
  std::string_view name;  // "page.html"
  std::string_view text;
};

std::span<const PageFile> embedded_page();
std::span<const PageFile> embedded_chart();  // Chart.js, one file; empty: this binary was built without it

// What stands in the places of the template. `title` and `command` are texts, the others are HTML.
struct Page {
  std::string title;
  std::string command;
  std::string lede = {};  // below the title: the answer
  std::vector<std::pair<std::string, std::string>> sections =
      {};                            // heading and content; empty ones are left out
  std::vector<Figure> figures = {};  // those that the sections hold
};

std::string render_page(const Page& page);

// Canvases for figures, by their groups, which must stand one behind the other; drawn by the page's script.
std::string figures_html(std::span<const Figure> figures);
// Their data as JSON that no content can break out of.
std::string figures_json(std::span<const Figure> figures);

std::string grid_html(const TitledGrid& grid);
// Names and values, one a line; empty where there are none.
std::string facts_html(const Facts& facts);
// `content` below a line that unfolds it.
std::string folded_html(std::string_view title, const std::string& content);

std::string matrix_html(const Matrix& matrix);
// Errors and warnings in full, the reasons of skipped cases, notes folded.
std::string findings_html(const Findings& findings);
// As a timeline that unfolds.
std::string steps_html(const StepList& steps);
std::string backtrace_html(const Backtrace& trace);

}  // namespace ringside
