#include "model/finding_kinds.hpp"

namespace ringside {

const FindingKind* find_finding_kind(std::string_view id) {
  const auto* const found = std::ranges::find(kFindingKinds, id, &FindingKind::id);
  return found == kFindingKinds.end() ? nullptr : found;
}

ExitCode exit_of(std::string_view kind) {
  const FindingKind* const known = find_finding_kind(kind);
  return known == nullptr ? ExitCode::ok : known->exit;
}

}  // namespace ringside
