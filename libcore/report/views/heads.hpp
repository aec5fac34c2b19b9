#pragma once

#include <string>
#include <vector>

#include "report/view.hpp"
#include "report/views/result_kind.hpp"

namespace ringside {

// What stands above the results of any kind.

// A View with its heading and, for a page, where the Document comes from.
View start_view(const Document& document, const ViewRequest& request);

// What is wrong with the numbers as a whole: the run did not end, the build is slow.
std::vector<HeadLine> alert_lines(const Document& document);

// Alerts, binary, command, machine and method of a measurement, as many as the room allows.
std::vector<HeadLine> measurement_lines(const Document& document, const ViewRequest& request);

// Appends a line unless its text is empty.
void add_line(std::vector<HeadLine>& lines, std::string label, std::string text,
              Style style = Style::heading);

}  // namespace ringside
