#include "report/render/wrap.hpp"

#include <algorithm>

#include "base/printable.hpp"
#include "base/text.hpp"

namespace ringside {
namespace {

// The first word of `text`, which is taken off it; empty at the end.
std::string_view take_word(std::string_view& text) {
  constexpr std::string_view blanks = " \n\t\r";
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(blanks)));
  const std::string_view word = text.substr(0, text.find_first_of(blanks));
  text.remove_prefix(word.size());
  return word;
}

}  // namespace

std::string wrap(std::string_view lead, std::string_view text, std::size_t width) {
  const std::string clean_lead = printable(lead);
  const std::size_t indent = display_width(clean_lead);
  std::string lines(clean_lead);
  std::size_t column = indent;
  for (std::string word = printable(take_word(text)); !word.empty(); word = printable(take_word(text))) {
    const std::size_t letters = display_width(word);
    if (column > indent && column + 1 + letters > width) {
      lines.append("\n").append(indent, ' ');
      column = indent;
    } else if (column > indent) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += letters;
  }
  lines = line_starts(lines);
  lines.erase(lines.find_last_not_of(' ') + 1);
  return lines += '\n';
}

}  // namespace ringside
