#include "report/views/spec_estimate_tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.hpp"

namespace ringside {
namespace {

constexpr std::size_t kMostCells = 10;  // rows of a short table of batches

std::string interval_text(const std::optional<SpecRange>& range) {
  return range ? fmt::format("{} to {}", format_three_digits(range->low), format_three_digits(range->high))
               : "-";
}

std::string speedup_text(const std::optional<SpecRange>& range) {
  return range ? fmt::format("{:.2f} to {:.2f}", range->low, range->high) : "-";
}

// Never 0 or 100: a model is never sure.
std::string percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.0f} %", 100 * std::clamp(*share, 0.01, 0.99)) : "-";
}

std::string context_text(double tokens) {
  return format_size({static_cast<std::uint64_t>(tokens)});
}

// Each number of drafts at one batch and context.
TitledGrid drafts_table(const SpecEstimate& estimate) {
  GridLines columns;
  columns.add({"drafts"});
  columns.add({"tok/s"});
  columns.add({"90 %", "of it"});
  columns.add({"against", "plain"});
  columns.add({"90 %", "of it"});
  columns.add({"pays", "with"});
  columns.add({"break-", "even at"});
  for (const SpecCell& cell : estimate.table) {
    columns.line(
        {fmt::format("{}{}", cell.best ? "*" : "", cell.drafts),
         cell.tokens_s ? (cell.measured ? "" : "~") + format_three_digits(cell.tokens_s->median) : "-",
         cell.measured ? "measured" : interval_text(cell.tokens_s),
         cell.speedup ? fmt::format("{:.2f}x", cell.speedup->median) : "-", speedup_text(cell.speedup),
         cell.measured ? "" : percent(cell.pays),
         cell.break_even_length ? fmt::format("{:.2f}", cell.break_even_length->median) : "-"},
        cell.best ? Style::winner : Style::plain);
  }
  return {fmt::format("drafts at batch {}, context {}, {}, {}", estimate.batch,
                      context_text(estimate.context), estimate.layout, estimate.acceptance),
          columns.take(),
          "* to take: the smallest number that no other beats by more than the band; 0: no speculation"};
}

// The number of drafts to take at each batch and context, or the asked one where acceptance is not known.
TitledGrid batches_table(const SpecEstimate& estimate, bool all) {
  GridLines columns;
  columns.add({"context"});
  columns.add({"batch"});
  columns.add({"plain", "tok/s"});
  columns.add({"drafts", "to take"});
  columns.add({"tok/s"});
  columns.add({fmt::format("{} draft{}", estimate.drafts, estimate.drafts == 1 ? "" : "s"), "vs plain"});
  columns.add({"90 %", "of it"});
  columns.add({"pays", "with"});
  std::size_t shown = 0;
  std::size_t hidden = 0;
  for (std::size_t i = 0; i < estimate.table.size(); ++i) {
    const SpecCell& plain = estimate.table[i];
    if (plain.drafts != 0) continue;
    if (shown == kMostCells && !all) {
      ++hidden;
      continue;
    }
    const SpecCell* best = plain.best ? &plain : nullptr;
    const SpecCell* asked = nullptr;
    for (std::size_t k = i + 1; k < estimate.table.size() && estimate.table[k].drafts != 0; ++k) {
      if (estimate.table[k].best) best = &estimate.table[k];
      if (estimate.table[k].drafts == estimate.drafts) asked = &estimate.table[k];
    }
    ++shown;
    columns.line({context_text(plain.context), fmt::format("{}", plain.batch),
                  plain.tokens_s ? "~" + format_three_digits(plain.tokens_s->median) : "-",
                  best == nullptr ? "-" : fmt::format("{}", best->drafts),
                  best == nullptr || !best->tokens_s
                      ? "-"
                      : (best->measured ? "" : "~") + format_three_digits(best->tokens_s->median),
                  asked == nullptr || !asked->speedup
                      ? "-"
                      : fmt::format("{:.2f}x{}", asked->speedup->median, asked->measured ? " measured" : ""),
                  asked == nullptr ? "-" : speedup_text(asked->speedup),
                  asked == nullptr  ? "-"
                  : asked->measured ? ""
                                    : percent(asked->pays)});
  }
  return {fmt::format("by batch, {}, {}", estimate.layout, estimate.acceptance), columns.take(),
          hidden > 0 ? fmt::format("{} more lines with --verbose", hidden) : ""};
}

// Speed-up of every number of drafts, batches down.
TitledGrid cells_table(const SpecEstimate& estimate) {
  GridLines columns;
  columns.add({"context"});
  columns.add({"batch"});
  std::vector<int> drafts;
  for (const SpecCell& cell : estimate.table) {
    if (cell.drafts > 0 && std::ranges::find(drafts, cell.drafts) == drafts.end())
      drafts.push_back(cell.drafts);
  }
  for (const int count : drafts) columns.add({fmt::format("{}", count)});
  std::vector<std::string> line;
  const auto flush = [&] {
    if (line.size() == drafts.size() + 2) columns.line(std::move(line));
    line.clear();
  };
  for (const SpecCell& cell : estimate.table) {
    if (cell.drafts == 0) {
      flush();
      line = {context_text(cell.context), fmt::format("{}", cell.batch)};
      continue;
    }
    line.push_back(cell.speedup ? fmt::format("{}{:.2f}", cell.best ? "*" : "", cell.speedup->median) : "-");
  }
  flush();
  return {fmt::format("against plain by batch and drafts, {}, {}", estimate.layout, estimate.acceptance),
          columns.take(), "medians; * the number to take; no mark in a line: no speculation"};
}

TitledGrid observation_table(const SpecEstimate& estimate) {
  const bool model = estimate.plain_tokens_s.has_value();
  GridLines columns;
  columns.add({"observed"}, Align::left);
  columns.add({"batch"});
  columns.add({"drafts"});
  columns.add({"context"});
  columns.add({"length"});
  columns.add({"tok/s"});
  if (model) {
    columns.add({"model", "90 %"});
    columns.add({"left", "out"});
    columns.add({"used"}, Align::left);
  }
  for (const SpecObserved& observed : estimate.observations) {
    std::vector<std::string> line = {observed.source,
                                     fmt::format("{:g}", observed.batch),
                                     observed.drafts ? fmt::format("{}", *observed.drafts) : "0",
                                     context_text(observed.context),
                                     observed.length ? fmt::format("{:.2f}", *observed.length) : "-",
                                     format_three_digits(observed.tokens_s)};
    if (model) {
      for (const std::string& cell : {interval_text(observed.predicted), interval_text(observed.left_out),
                                      observed.used ? std::string("yes") : observed.reason})
        line.push_back(cell);
    }
    columns.line(std::move(line), observed.used ? Style::plain : Style::warning);
  }
  if (!model) return {"measured", columns.take(), ""};
  return {"measured beside the model", columns.take(),
          estimate.observations.size() < 3 ? "" : "left out: by all observations but this one"};
}

// What the model's files say, and what of them is not understood.
TitledGrid model_table(const SpecEstimate& estimate) {
  GridLines columns;
  columns.add({"the model's files"}, Align::left);
  columns.add({"what"}, Align::left);
  const auto add = [&](const char* kind, const std::vector<std::string>& texts, Style style) {
    for (const std::string& text : texts) columns.line({kind, text}, style);
  };
  add("not understood", estimate.not_understood, Style::warning);
  add("derived", estimate.derived, Style::plain);
  add("used", estimate.used, Style::plain);
  return {"the model", columns.take(), ""};
}

TitledGrid pair_table(const SpecEstimate& estimate) {
  GridLines columns;
  columns.add({"batch"});
  columns.add({"drafts"});
  columns.add({"with", "tok/s"});
  columns.add({"without", "tok/s"});
  columns.add({"ratio"});
  columns.add({"90 %", "of it"});
  columns.add({"note"}, Align::left);
  for (const SpecMeasured& pair : estimate.measured) {
    columns.line({fmt::format("{:g}", pair.batch), pair.drafts ? fmt::format("{}", *pair.drafts) : "-",
                  format_three_digits(pair.speculative_tokens_s), format_three_digits(pair.plain_tokens_s),
                  pair.ratio ? fmt::format("{:.2f}x", pair.ratio->median) : "-", speedup_text(pair.ratio),
                  pair.reason.empty() ? "" : "not comparable: " + pair.reason});
  }
  return {"measured with and without speculation", columns.take(), ""};
}

}  // namespace

std::string question_text(const SpecEstimate& estimate) {
  return fmt::format("{} drafts at batch {}, context {}, {}, {}", estimate.drafts, estimate.batch,
                     context_text(estimate.context), estimate.layout, estimate.acceptance);
}

std::vector<TitledGrid> estimate_tables(const SpecEstimate& estimate, bool all) {
  std::vector<TitledGrid> tables;
  const auto rows = std::ranges::count(estimate.table, 0, &SpecCell::drafts);
  if (estimate.measured.size() > 1) tables.push_back(pair_table(estimate));
  if (rows == 1) tables.push_back(drafts_table(estimate));
  if (rows > 1) tables.push_back(batches_table(estimate, all));
  if (rows > 1 && all) tables.push_back(cells_table(estimate));
  if (!estimate.observations.empty() && (all || estimate.observations.size() > 1))
    tables.push_back(observation_table(estimate));
  if (all) tables.push_back(model_table(estimate));
  return tables;
}

}  // namespace ringside
