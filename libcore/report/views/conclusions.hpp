#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/document.hpp"

namespace ringside {

// A Document's Findings as they are shown: like ones together, the reasons of skipped cases apart.

// Findings that say the same of several subjects.
struct FindingGroup {
  const Finding* finding = nullptr;   // the first of them; points into the Document
  std::vector<std::string> subjects;  // of all of them

  // "ring 2K bf16 eager: rank 1 was lost"; the message alone where it names the subject itself.
  std::string sentence() const;
};

// Cases that were skipped for the same reason.
struct SkippedGroup {
  const Finding* reason = nullptr;  // points into the Document; null: the rows name none
  std::string who;  // "nccl-nvls, nccl-tree (all 28 cases)", "custom (4 of 14 cases: 8M to 64M)"

  std::string sentence() const;
};

struct Conclusions {
  std::vector<FindingGroup> findings;  // errors, warnings, notes; winners and ties are notes
  std::vector<SkippedGroup> skipped;

  // Notes that a table doesn't tell by itself, as it does winners and ties.
  std::size_t untold_notes() const;
};

// Of a comparison, without what its grid says of each case: what is unclear, faster or not compared.
Conclusions conclude(const Document& document);

}  // namespace ringside
