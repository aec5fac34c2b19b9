#include "report/views/result_kind.hpp"

#include <algorithm>

namespace ringside {
namespace {

// Inside a function: kinds register themselves before main, in any order.
std::vector<const ResultKind*>& registry() {
  static std::vector<const ResultKind*> kinds;
  return kinds;
}

int speciality(const ResultKind* kind) {
  return kind->speciality();
}

}  // namespace

std::span<const ResultKind* const> all_kinds() {
  return registry();
}

void register_kind(const ResultKind& kind) {
  auto& kinds = registry();
  kinds.insert(std::ranges::upper_bound(kinds, kind.speciality(), {}, speciality), &kind);
}

const ResultKind& kind_of(const Document& document) {
  const auto& kinds = registry();
  const auto found = std::find_if(kinds.rbegin(), kinds.rend(),
                                  [&](const ResultKind* kind) { return kind->shows(document); });
  return **found;  // one kind shows any Document
}

}  // namespace ringside
