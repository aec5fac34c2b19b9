#include <fmt/format.h>

#include "report/conclusions.hpp"
#include "report/html/page.hpp"
#include "report/markup.hpp"

namespace ringside {
namespace {

// The word before a Finding; those of a trace have a part in its story.
std::string_view word(const Finding& finding) {
  if (finding.kind == "root-cause") return "cause";
  if (finding.kind == "not-the-cause") return "not the cause";
  if (finding.kind == "remedy" || finding.kind == "symptom") return finding.kind;
  return to_string(finding.severity);
}

std::string_view style(const Finding& finding) {
  if (finding.kind == "root-cause") return "cause";
  if (finding.kind == "remedy") return "remedy";
  return to_string(finding.severity);
}

// A trace's Findings are a story of one launch: their subject is said only where it is what the sentence is
// about.
std::string sentence(const FindingGroup& group, bool story) {
  if (!story) return group.sentence();
  const Finding& finding = *group.finding;
  return finding.kind == "not-the-cause" ? finding.subject + ": " + finding.message : finding.message;
}

std::string finding_html(const Finding& finding, const std::string& sentence, std::string_view tag,
                         std::string_view css) {
  std::string text = fmt::format("<div class=\"finding {}\"><span class=\"tag\">{}</span>{}\n", css, tag,
                                 markup_escaped(sentence));
  if (!finding.evidence.empty()) {
    text += "<ul>";
    for (const std::string& fact : finding.evidence)
      text += fmt::format("<li>{}</li>\n", markup_escaped(fact));
    text += "</ul>";
  }
  if (!finding.remedy.empty())
    text += fmt::format("<div class=\"fix\"><b>fix</b> {}</div>", markup_escaped(finding.remedy));
  return text + "</div>\n";
}

}  // namespace

std::string findings_html(const Document& document) {
  const Conclusions conclusions = conclude(document);
  std::string text, notes;
  std::size_t noted = 0;
  for (const FindingGroup& group : conclusions.findings) {
    const Finding& finding = *group.finding;
    const std::string html =
        finding_html(finding, sentence(group, document.trace.has_value()), word(finding), style(finding));
    if (finding.severity == Severity::note && !document.trace) {
      notes += html;
      ++noted;
    } else {
      text += html;
    }
  }
  for (const SkippedGroup& group : conclusions.skipped)
    text += finding_html(group.reason ? *group.reason : Finding{}, group.sentence(), "skipped", "note");
  if (noted > 0) text += folded_html(fmt::format("{} note{}", noted, noted == 1 ? "" : "s"), notes);
  return text;
}

}  // namespace ringside
