#include "report/views/cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.hpp"

namespace ringside {
namespace {

constexpr double kLargeUncertainty = 0.05;  // of the median; below it the third digit is about right
constexpr double kUselessUncertainty = 9.99;

std::string uncertainty_of(const Row& row) {
  if (row.origin != Origin::measured) return "";
  if (!row.time->interval95_ns) return "±?";
  const double median = row.time->median_ns;
  const double reach =
      std::max(row.time->interval95_ns->high - median, median - row.time->interval95_ns->low);
  if (!(median > 0) || !std::isfinite(reach)) return "±?";
  if (reach < kLargeUncertainty * median) return "";
  if (reach > kUselessUncertainty * median) return fmt::format("±>{:.0f}%", 100 * kUselessUncertainty);
  return fmt::format("±{:.0f}%", 100 * reach / median);
}

std::string word_for(const Row& row) {
  if (row.status == Status::skipped) return "skip";
  return has_finding(row, finding_kind("wrong-data")) ? "wrong" : std::string(to_string(row.status));
}

}  // namespace

TimeUnit time_unit(const SweepBlock& block) {
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  for (const SizeLine& line : block.lines) {
    for (const Row* row : line.rows) {
      if (!has_result(row)) continue;
      least = std::min(least, row->time->median_ns);
      most = std::max(most, row->time->median_ns);
    }
  }
  if (least >= 1e6 && most > 0) return {"ms", 1e6};
  if (most > 0 && most < 1e3) return {"ns", 1};
  return {};
}

CellText cell_text(const Row* row, const TimeUnit& unit, Standing standing) {
  if (row == nullptr) return {"", "-", ""};
  if (!has_result(row)) return {"", word_for(*row), ""};
  CellText text;
  if (standing == Standing::winner) text.mark = "*";
  if (standing == Standing::tied) text.mark = "=";
  text.value =
      (row->origin == Origin::measured ? "" : "~") + format_three_digits(row->time->median_ns / unit.ns);
  text.uncertainty = uncertainty_of(*row);
  return text;
}

std::string legend(const std::vector<SweepBlock>& blocks) {
  bool winner = false, tied = false, wide = false, few = false, unmeasured = false;
  for (const SweepBlock& block : blocks) {
    for (const SizeLine& line : block.lines) {
      for (std::size_t i = 0; i < line.rows.size(); ++i) {
        const CellText text = cell_text(line.rows[i], {}, standing(line.verdict, block.entries[i]));
        winner |= text.mark == "*";
        tied |= text.mark == "=";
        few |= text.uncertainty == "±?";
        wide |= !text.uncertainty.empty() && text.uncertainty != "±?";
        unmeasured |= text.value.starts_with('~');
      }
    }
  }
  std::vector<std::string> symbols;
  if (winner) symbols.emplace_back("* winner");
  if (tied) symbols.emplace_back("= tied for the best");
  if (wide)
    symbols.push_back(
        fmt::format("± half the 95 % interval of the median, from {:.0f} %", 100 * kLargeUncertainty));
  if (few) symbols.emplace_back("±? too few undisturbed samples for an interval");
  if (unmeasured) symbols.emplace_back("~ not measured");
  return join(symbols, ", ");
}

}  // namespace ringside
