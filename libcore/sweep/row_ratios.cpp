#include "sweep/row_ratios.hpp"

#include <algorithm>

#include "stats/order.hpp"
#include "sweep/group_verdict.hpp"

namespace ringside {
namespace {

bool is_reference(const Row& row) {
  const char* name = row.params.device == DeviceKind::host ? "ring" : "nccl-auto";
  return row.params.strategy == name && row.params.entry == 0;
}

bool is_nccl(const Row& row) {
  return row.params.device == DeviceKind::cuda && row.params.strategy.starts_with("nccl-");
}

const Row* find_reference(const std::vector<Row*>& rows) {
  const auto found = std::ranges::find_if(rows, [](const Row* row) { return is_reference(*row); });
  return found == rows.end() ? nullptr : *found;
}

const Row* find_best_nccl(const std::vector<Row*>& rows) {
  const Row* best = nullptr;
  for (const Row* row : rows) {
    if (is_nccl(*row) && (best == nullptr || row->time->median_ns < best->time->median_ns)) best = row;
  }
  return best;
}

std::optional<RowRatio> beside(const Row& row, const Row* other) {
  if (other == nullptr || other == &row) return std::nullopt;
  const RatioVerdict pair = judge_pair(row, *other);
  if (pair.launch_intervals.empty()) return std::nullopt;
  RowRatio ratio{.to = entry_name(other->params), .ratio = pair.ratio, .interval95 = {}};
  ratio.interval95 = hull(pair.launch_intervals);
  ratio.launches = static_cast<int>(pair.launch_intervals.size());
  if (pair.kind == RatioVerdict::Kind::a_wins) ratio.verdict = PairVerdict::faster;
  if (pair.kind == RatioVerdict::Kind::b_wins) ratio.verdict = PairVerdict::slower;
  return ratio;
}

}  // namespace

void note_ratios(const std::vector<Row*>& rows) {
  const Row* const reference = find_reference(rows);
  const Row* const best_nccl = find_best_nccl(rows);
  for (Row* row : rows) {
    row->to_reference = beside(*row, reference);
    row->to_best_nccl = beside(*row, best_nccl);
  }
}

void forget_ratios(Row& row) {
  row.to_reference.reset();
  row.to_best_nccl.reset();
}

}  // namespace ringside
