#include "gate/conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/digest.hpp"
#include "base/text.hpp"
#include "gate/fingerprint_match.hpp"

namespace ringside {
namespace {

// Of the tables that a row names: one, or several where its launches did not find the same.
std::set<std::string_view> digests(const Row& row) {
  constexpr std::size_t kDigits = 16;
  std::set<std::string_view> found;
  const std::string_view text = row.chosen_by ? std::string_view(*row.chosen_by) : std::string_view();
  for (auto at = text.find(kDigestName); at != text.npos; at = text.find(kDigestName, at + 1))
    found.insert(text.substr(at, kDigestName.size() + kDigits));
  return found;
}

// Nothing where the tables hold the same text, or a row does not say.
std::optional<FactDifference> other_table(const Row& base, const Row& now) {
  const std::set<std::string_view> of_base = digests(base);
  const std::set<std::string_view> of_now = digests(now);
  if (of_base.empty() || of_now.empty() || of_base == of_now) return std::nullopt;
  return FactDifference{now.params.strategy + "'s table", *base.chosen_by, *now.chosen_by};
}

}  // namespace

void note_conditions(Document& result, const Document& base, const Document& now,
                     const std::vector<RowPair>& cases) {
  std::vector<std::string> evidence;
  for (const auto& [old, fresh] : cases) {
    const std::optional<FactDifference> table = other_table(*old, *fresh);
    if (table && std::ranges::count(evidence, describe(*table)) == 0) evidence.push_back(describe(*table));
  }
  for (const FactDifference& difference : differing_facts({"", base.environment}, {"", now.environment}))
    evidence.push_back(describe(difference));
  const auto inputs = [](const Row& row) {
    return std::string(to_string(row.input.value_or(InputState::warm)));
  };
  for (const auto& [old, fresh] : cases) {
    if (!old->time || !fresh->time || inputs(*old) == inputs(*fresh)) continue;
    evidence.push_back(describe(FactDifference{"inputs", inputs(*old), inputs(*fresh)}));
    break;
  }
  if (base.tool.build_type != now.tool.build_type)
    evidence.push_back(describe(FactDifference{"build", base.tool.build_type, now.tool.build_type}));
  if (base.tool.sanitizers != now.tool.sanitizers)
    evidence.push_back(describe(FactDifference{"sanitizers", base.tool.sanitizers, now.tool.sanitizers}));
  if (!base.complete) evidence.emplace_back("the base is incomplete");
  if (!now.complete) evidence.emplace_back("the new result is incomplete");
  if (evidence.empty()) return;
  add_finding(result,
              {.kind = finding_kind("conditions-differ"),
               .severity = Severity::warning,
               .subject = "comparison",
               .message = fmt::format("the two sides were not measured alike: {}", join(evidence, "; ")),
               .evidence = {},
               .remedy = ""});
}

void note_other_kernel(Document& result, Row& row, const RowPair& rows) {
  const Row& base = *rows.first;
  const Row& now = *rows.second;
  if (!base.ran || !now.ran || *base.ran == *now.ran) return;
  const std::string& strategy = now.params.strategy;
  row.findings.push_back(add_finding(
      result, {.kind = finding_kind("ran-differs"),
               .severity = other_table(base, now) ? Severity::warning : Severity::note,
               .subject = strategy,
               .message = fmt::format("{} did not run the same kernel on both sides", strategy),
               .evidence = {fmt::format("{}: {} and {}", case_name(now.params), *base.ran, *now.ran)},
               .remedy = ""}));
}

}  // namespace ringside
