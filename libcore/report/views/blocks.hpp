#pragma once

#include <string>
#include <vector>

#include "model/document.hpp"

namespace ringside {

// A Document's rows as people compare them: one block for each dtype and mode, sizes down, entries across.
// All pointers point into the Document, which must outlive the view.

// Whether the row ended with a time that counts. One that failed later may still carry its earlier samples,
// and a file may hold numbers that are none.
bool has_result(const Row* row);

// How many launches the row's time comes from. A comparison keeps one median of each, not the samples.
std::size_t launch_count(const Row& row);

// Whether the row points to a finding of this kind.
bool has_finding(const Row& row, const FindingKind& kind);

// What a verdict makes of an entry; none: there is no verdict, or nothing was compared.
enum class Standing { none, winner, tied, loser };

Standing standing(const GroupVerdict* verdict, const std::string& entry);

// One line of a block: a message size.
struct SizeLine {
  Bytes bytes;
  std::vector<const Row*> rows;           // as SweepBlock::entries; null: the sweep has no such case
  const GroupVerdict* verdict = nullptr;  // null: none was given
  const Row* best = nullptr;  // the winner's row, else the fastest with a time; null: none has a time
};

struct SweepBlock {
  Collective collective = Collective::allreduce;
  DeviceKind device = DeviceKind::host;
  int ranks = 0;
  DType dtype = DType::bf16;
  Mode mode = Mode::eager;
  std::vector<std::string>
      entries;  // entry names, in the Document's order; without those that were skipped throughout
  std::vector<SizeLine> lines;  // ascending sizes

  std::string name() const;  // "allreduce bf16 eager"
  bool compared() const;     // whether any size has a verdict

  const SizeLine* line(Bytes bytes) const;  // null: the sweep has no such size
  // The row of an entry in one of the lines; null: there is none.
  const Row* row(const SizeLine& line, const std::string& entry) const;
};

// In the order in which the Document mentions them.
std::vector<SweepBlock> sweep_blocks(const Document& document);

// The verdict on the group that `params` belongs to; null when there is none, or none with a ratio.
const GroupVerdict* find_verdict(const Document& document, const Case& params);

}  // namespace ringside
