#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/support_table.hpp"

namespace ringside {

// How one path stands to a call.
struct PathVerdict {
  const SupportPath* path = nullptr;
  RuleResult result;     // whether it would take the call if it were asked
  std::string kernel;    // that it would take; empty: it has one only, or which one is not known
  std::string stand_in;  // what of ringside's strategies does the same; empty: nothing, or not known
  std::string why_not;   // why it is not the chosen one; empty for the chosen one
};

// Which path a call takes. What points to a SupportTable is valid as long as that.
struct SupportAnswer {
  std::vector<PathVerdict> paths;     // in the order in which they are asked
  std::optional<std::size_t> chosen;  // none: not known, or nothing takes it, or the framework doesn't choose
  std::vector<std::string> missing;   // what would have to be known to say; empty where it is settled
  std::string note;                   // of the edition: what was not checked; empty: nothing

  const PathVerdict* choice() const { return chosen ? &paths[*chosen] : nullptr; }
};

// Goes by the rules of the table alone: nothing is tried. The first path in order that takes the call is
// chosen.
SupportAnswer evaluate(const SupportTable& table, const Edition& edition, const SupportQuery& query);

}  // namespace ringside
