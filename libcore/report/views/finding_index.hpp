#pragma once

#include <string>
#include <unordered_map>

#include "model/document.hpp"

namespace ringside {

// The Findings of a Document by their ids, for writers that look up many. The Document must outlive it.
class FindingIndex {
 public:
  explicit FindingIndex(const Document& document) {
    for (const Finding& finding : document.findings) by_id_.emplace(finding.id(), &finding);
  }
  // Null: there is none.
  const Finding* find(const std::string& id) const {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : found->second;
  }
  // The one that explains a row: the worst of those that it points to; null: it names none.
  const Finding* reason(const Row& row) const {
    const Finding* worst = nullptr;
    for (const std::string& id : row.findings) {
      const Finding* finding = find(id);
      if (finding != nullptr && (worst == nullptr || finding->severity > worst->severity)) worst = finding;
    }
    return worst;
  }

 private:
  std::unordered_map<std::string, const Finding*> by_id_;
};

}  // namespace ringside
