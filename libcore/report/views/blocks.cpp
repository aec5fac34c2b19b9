#include "report/views/blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace ringside {
namespace {

bool belongs(const SweepBlock& block, const Case& params) {
  return block.collective == params.collective && block.device == params.device &&
         block.ranks == params.ranks && block.dtype == params.dtype && block.mode == params.mode;
}

SweepBlock& block_of(std::vector<SweepBlock>& blocks, const Case& params) {
  const auto found =
      std::ranges::find_if(blocks, [&](const SweepBlock& block) { return belongs(block, params); });
  if (found != blocks.end()) return *found;
  return blocks.emplace_back(
      SweepBlock{params.collective, params.device, params.ranks, params.dtype, params.mode, {}, {}});
}

const Row* best_of(const SizeLine& line) {
  const Row* best = nullptr;
  for (const Row* row : line.rows) {
    if (!has_result(row)) continue;
    if (standing(line.verdict, entry_name(row->params)) == Standing::winner) return row;
    if (best == nullptr || row->time->median_ns < best->time->median_ns) best = row;
  }
  return best;
}

void fill_lines(SweepBlock& block, const Document& document) {
  std::set<Bytes> sizes;
  for (const Row& row : document.rows) {
    if (belongs(block, row.params)) sizes.insert(row.params.bytes);
  }
  for (const Bytes bytes : sizes)
    block.lines.push_back({bytes, std::vector<const Row*>(block.entries.size()), {}, {}});
  for (const Row& row : document.rows) {
    if (!belongs(block, row.params)) continue;
    auto& line = *std::ranges::find(block.lines, row.params.bytes, &SizeLine::bytes);
    line.verdict = find_verdict(document, row.params);
    const auto entry = std::ranges::find(block.entries, entry_name(row.params));
    if (entry != block.entries.end())
      line.rows[static_cast<std::size_t>(entry - block.entries.begin())] = &row;
  }
  for (SizeLine& line : block.lines) line.best = best_of(line);
}

}  // namespace

bool has_result(const Row* row) {
  return row != nullptr && row->time && std::isfinite(row->time->median_ns) &&
         row->status != Status::skipped && row->status != Status::failed && row->status != Status::timeout;
}

bool has_finding(const Row& row, const FindingKind& kind) {
  return std::ranges::any_of(row.findings, [&](const std::string& id) { return is_of_kind(id, kind); });
}

std::size_t launch_count(const Row& row) {
  const bool compared = row.launches.empty() && row.comparison && !row.comparison->stages.empty();
  return compared ? row.comparison->stages.front().new_ns.size() : row.launches.size();
}

Standing standing(const GroupVerdict* verdict, const std::string& entry) {
  if (verdict == nullptr) return Standing::none;
  if (verdict->winner) return *verdict->winner == entry ? Standing::winner : Standing::loser;
  if (verdict->tied.empty()) return Standing::none;
  return std::ranges::find(verdict->tied, entry) != verdict->tied.end() ? Standing::tied : Standing::loser;
}

std::string SweepBlock::name() const {
  return fmt::format("{} {} {}", to_string(collective), to_string(dtype), to_string(mode));
}

bool SweepBlock::compared() const {
  return std::ranges::any_of(lines, [](const SizeLine& line) { return line.verdict != nullptr; });
}

const SizeLine* SweepBlock::line(Bytes bytes) const {
  const auto found = std::ranges::lower_bound(lines, bytes, {}, &SizeLine::bytes);
  return found == lines.end() || found->bytes != bytes ? nullptr : &*found;
}

const Row* SweepBlock::row(const SizeLine& line, const std::string& entry) const {
  const auto column = std::ranges::find(entries, entry);
  return column == entries.end() ? nullptr : line.rows[static_cast<std::size_t>(column - entries.begin())];
}

std::vector<SweepBlock> sweep_blocks(const Document& document) {
  std::vector<SweepBlock> blocks;
  for (const Row& row : document.rows) {
    SweepBlock& block = block_of(blocks, row.params);
    const std::string entry = entry_name(row.params);
    const bool known = std::ranges::find(block.entries, entry) != block.entries.end();
    if (!known && row.status != Status::skipped) block.entries.push_back(entry);
  }
  for (SweepBlock& block : blocks) fill_lines(block, document);
  return blocks;
}

const GroupVerdict* find_verdict(const Document& document, const Case& params) {
  const auto found = std::ranges::find_if(document.verdicts, [&](const GroupVerdict& verdict) {
    return verdict.bytes == params.bytes && verdict.collective == params.collective &&
           verdict.dtype == params.dtype && verdict.mode == params.mode && std::isfinite(verdict.ratio);
  });
  return found == document.verdicts.end() ? nullptr : &*found;
}

}  // namespace ringside
