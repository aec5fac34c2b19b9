#include <fmt/format.h>

#include "report/render/html/page.hpp"
#include "report/render/markup.hpp"

namespace ringside {
namespace {

std::string finding_html(const FindingItem& item) {
  std::string text =
      fmt::format("<div class=\"finding {}\"><span class=\"tag\">{}</span>{}\n", markup_escaped(item.tone),
                  markup_escaped(item.word), markup_escaped(item.text));
  if (!item.evidence.empty()) {
    text += "<ul>";
    for (const std::string& fact : item.evidence) text += fmt::format("<li>{}</li>\n", markup_escaped(fact));
    text += "</ul>";
  }
  if (!item.remedy.empty())
    text += fmt::format("<div class=\"fix\"><b>fix</b> {}</div>", markup_escaped(item.remedy));
  if (!item.patch.empty()) {
    text += "<pre>";
    for (const std::string& line : item.patch) text += markup_escaped(line) + '\n';
    text += "</pre>";
  }
  return text + "</div>\n";
}

}  // namespace

std::string findings_html(const Findings& findings) {
  std::string text, notes;
  std::size_t noted = 0;
  for (const FindingItem& item : findings.items) {
    if (item.severity == Severity::note && !findings.story) {
      notes += finding_html(item);
      ++noted;
    } else {
      text += finding_html(item);
    }
  }
  for (const FindingItem& item : findings.skipped) text += finding_html(item);
  if (noted > 0) text += folded_html(fmt::format("{} note{}", noted, noted == 1 ? "" : "s"), notes);
  return text;
}

}  // namespace ringside
