#include "report/silence.hpp"

#include <algorithm>
#include <set>

namespace ringside {

Document without_warnings(Document document, std::span<const std::string> silenced) {
  std::set<std::string> gone;
  std::erase_if(document.findings, [&](const Finding& finding) {
    const std::string id = finding.id();
    const bool named = std::ranges::any_of(
        silenced, [&](const std::string& name) { return name == id || name == finding.kind; });
    if (!named || finding.severity != Severity::warning) return false;
    gone.insert(id);
    return true;
  });
  if (gone.empty()) return document;
  for (Row& row : document.rows)
    std::erase_if(row.findings, [&](const std::string& id) { return gone.contains(id); });
  return document;
}

}  // namespace ringside
