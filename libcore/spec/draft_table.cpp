#include "spec/draft_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "base/units.hpp"
#include "spec/measure_next.hpp"
#include "spec/speed_pairs.hpp"

namespace ringside {
namespace {

std::string context_text(double tokens) {
  return format_size({static_cast<std::uint64_t>(tokens)});
}

// One batch at one context: no speculation, and each number of drafts.
class DraftRow {
 public:
  DraftRow(const Inquiry& inquiry, const Posterior& posterior, const ModelFit& fit)
      : inquiry_(inquiry), posterior_(posterior), fit_(fit) {
    if (inquiry.acceptance) acceptance_ = inquiry.acceptance->acceptance;
    const int asked = inquiry.scenario.speculation.drafts();
    const bool tree = inquiry.scenario.speculation.top_k > 1;
    for (int count = 1; !tree && count <= kMostDrafts; ++count) drafts_.push_back(count);
    if (std::ranges::find(drafts_, asked) == drafts_.end()) drafts_.push_back(asked);
  }

  std::vector<SpecCell> cells(int batch, double context, const std::vector<SpecMeasured>& pairs) const {
    std::vector<SpeedUp> ups;
    for (const int drafts : drafts_)
      ups.push_back(posterior_.speed_up(point_of(inquiry_.scenario, batch, context, drafts), acceptance_));
    std::vector<SpecCell> cells(1);
    cells.front().batch = batch;
    cells.front().context = context;
    if (ups.front().plain) cells.front().tokens_s = range_of(*ups.front().plain);
    for (std::size_t i = 0; i < ups.size(); ++i) {
      const JudgedSpeed judged = judge_speed(inquiry_, ups[i], fit_);
      SpecCell cell;
      cell.batch = batch;
      cell.context = context;
      cell.drafts = drafts_[i];
      cell.tokens_s = judged.tokens_s;
      cell.speedup = judged.speedup;
      cell.break_even_length = judged.break_even;
      cell.pays = judged.pays;
      cells.push_back(std::move(cell));
    }
    mark_best(ups, cells);
    bind_measured(pairs, cells);
    return cells;
  }

 private:
  void mark_best(const std::vector<SpeedUp>& ups, std::vector<SpecCell>& cells) const {
    if (!acceptance_) return;
    const auto best = posterior_.best(ups, *acceptance_);
    cells[best ? *best + 1 : 0].best = true;
  }

  // What was measured decides its own cell, and whether it can be the best.
  void bind_measured(const std::vector<SpecMeasured>& pairs, std::vector<SpecCell>& cells) const {
    for (SpecCell& cell : cells) {
      if (cell.drafts == 0) continue;
      const SpecMeasured* pair =
          binding_pair(inquiry_, pairs, point_of(inquiry_.scenario, cell.batch, cell.context, cell.drafts));
      if (pair == nullptr) continue;
      cell.measured = true;
      cell.speedup = pair->ratio;
      cell.tokens_s =
          SpecRange{pair->speculative_tokens_s, pair->speculative_tokens_s, pair->speculative_tokens_s};
      cell.pays = pair->ratio->low > 1 ? 1.0 : pair->ratio->high < 1 ? 0.0 : 0.5;
      if (cell.best && pair->ratio->high < 1) {
        cell.best = false;
        cells.front().best = true;
      }
    }
  }

  const Inquiry& inquiry_;
  const Posterior& posterior_;
  ModelFit fit_;
  std::optional<Acceptance> acceptance_;
  std::vector<int> drafts_;
};

// The cells of the asked number of drafts at one context, by batch.
std::vector<const SpecCell*> asked_cells(const SpecEstimate& estimate, double context) {
  std::vector<const SpecCell*> cells;
  for (const SpecCell& cell : estimate.table) {
    if (cell.context == context && cell.drafts == estimate.drafts && cell.speedup) cells.push_back(&cell);
  }
  return cells;
}

// "at context 2K 3 drafts pay up to batch 16 and lose from 32 on".
std::string crossover_at(const SpecEstimate& estimate, double context) {
  const std::vector<const SpecCell*> cells = asked_cells(estimate, context);
  if (cells.size() < 2) return "";
  const auto pays = [](const SpecCell* cell) { return cell->speedup->median >= 1; };
  const auto change = std::ranges::adjacent_find(
      cells, [&](const SpecCell* a, const SpecCell* b) { return pays(a) != pays(b); });
  const bool one = estimate.drafts == 1;
  const std::string where =
      fmt::format("at context {}, {} draft{}", context_text(context), estimate.drafts, one ? "" : "s");
  const char* const pay = one ? "pays" : "pay";
  const char* const lose = one ? "loses" : "lose";
  const std::string how = "by the medians; the intervals say how sure that is";
  if (change == cells.end()) {
    return fmt::format("{} {} at all batches from {} to {} ({})", where, pays(cells.front()) ? pay : lose,
                       cells.front()->batch, cells.back()->batch, how);
  }
  const bool first = pays(*change);
  return fmt::format("{} {} up to batch {} and {} from {} on ({})", where, first ? pay : lose,
                     (*change)->batch, first ? lose : pay, (*(change + 1))->batch, how);
}

}  // namespace

void fill_table(const Inquiry& inquiry, const Posterior& posterior, const ModelFit& fit,
                SpecEstimate& estimate) {
  const DraftRow row(inquiry, posterior, fit);
  std::vector<int> batches = inquiry.batches;
  std::vector<double> contexts = inquiry.contexts;
  if (batches.empty()) batches = {estimate.batch};
  if (contexts.empty()) contexts = {estimate.context};
  for (const double context : contexts) {
    for (const int batch : batches) {
      for (SpecCell& cell : row.cells(batch, context, estimate.measured))
        estimate.table.push_back(std::move(cell));
    }
    if (std::string text = crossover_at(estimate, context); !text.empty())
      estimate.crossover.push_back(std::move(text));
  }
  estimate.paste = settings_to_paste(inquiry, estimate);
}

}  // namespace ringside
