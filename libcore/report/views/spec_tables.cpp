#include "report/views/spec_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/units.hpp"
#include "report/views/spec_estimate_tables.hpp"

namespace ringside {
namespace {

constexpr std::size_t kShortTable = 4;  // candidates of a short answer
constexpr double kUs = 1e3;
constexpr double kMs = 1e6;
constexpr double kGib = 1073741824.0;

std::string mark(Origin origin) {
  switch (origin) {
    case Origin::measured:
      return "";
    case Origin::modelled:
      return "~";
    case Origin::reported:
      return "r ";
    case Origin::assumed:
      return "a ";
  }
  return "";
}

std::string range_text(const std::optional<Interval>& range) {
  if (!range) return "";
  return fmt::format("{} to {}", format_three_digits(range->low), format_three_digits(range->high));
}

double speed(const SpecCandidate* candidate) {
  return candidate->tokens_s.value_or(candidate->plain_tokens_s);
}

std::string rate_text(const std::optional<double>& tokens_s) {
  return tokens_s ? "~" + format_three_digits(*tokens_s) : "-";
}

// The best candidates, best first; the rest only with `all`.
std::vector<const SpecCandidate*> shown_candidates(const SpecResult& result, bool all) {
  std::vector<const SpecCandidate*> best;
  for (const SpecCandidate& candidate : result.candidates) best.push_back(&candidate);
  std::ranges::stable_sort(best, std::greater{}, speed);
  std::size_t shown = all ? best.size() : std::min(best.size(), kShortTable);
  // The server itself is what the others are compared with.
  const auto reported = std::ranges::find_if(best, [](const SpecCandidate* candidate) {
    return candidate->origin == Origin::reported || candidate->strategy == "as measured";
  });
  if (reported != best.end() && reported - best.begin() >= static_cast<std::ptrdiff_t>(shown)) {
    std::rotate(best.begin() + static_cast<std::ptrdiff_t>(shown), reported, reported + 1);
    ++shown;
  }
  best.resize(shown);
  return best;
}

// Whether a column would say something that the title can't.
template <class Value>
bool differ(const std::vector<const SpecCandidate*>& candidates, Value SpecCandidate::*member) {
  return !std::ranges::all_of(
      candidates, [&](const SpecCandidate* c) { return c->*member == candidates.front()->*member; });
}

TitledGrid candidate_table(const SpecResult& result, bool all) {
  const std::vector<const SpecCandidate*> candidates = shown_candidates(result, all);
  if (candidates.empty()) return {};
  const bool layouts = differ(candidates, &SpecCandidate::layout);
  const bool modes = differ(candidates, &SpecCandidate::mode);
  GridLines columns;
  columns.add({"strategy"}, Align::left);
  if (layouts) columns.add({"layout"}, Align::left);
  if (modes) columns.add({"mode"}, Align::left);
  for (const std::vector<std::string>& header : std::vector<std::vector<std::string>>{{"us per", "call"},
                                                                                      {"ms per", "verify"},
                                                                                      {"ms per", "step"},
                                                                                      {"comm.", "share"},
                                                                                      {"tok/s"},
                                                                                      {"plain", "tok/s"},
                                                                                      {"against", "plain"},
                                                                                      {"break-", "even at"},
                                                                                      {"best", "drafts"}})
    columns.add(header);
  for (const SpecCandidate* candidate : candidates) {
    const SpecCandidate& c = *candidate;
    std::vector<std::string> line{c.strategy};
    if (layouts) line.push_back(c.layout);
    if (modes) line.emplace_back(to_string(c.mode));
    for (std::string text :
         {mark(c.origin) + format_three_digits(c.call_ns / kUs), "~" + format_three_digits(c.verify_ns / kMs),
          "~" + format_three_digits(c.step_ns / kMs), fmt::format("{:.0f}%", 100 * c.share()),
          rate_text(c.tokens_s), "~" + format_three_digits(c.plain_tokens_s),
          c.against_plain() ? fmt::format("{:.2f}x", *c.against_plain()) : "-",
          fmt::format("{:.2f}", c.break_even_length),
          c.best_draft_tokens ? fmt::format("{}", *c.best_draft_tokens - 1) : "-"})
      line.push_back(std::move(text));
    columns.line(std::move(line));
  }
  const std::size_t hidden = result.candidates.size() - candidates.size();
  const std::string rest =
      hidden > 0 ? fmt::format("; {} slower {} with --verbose", hidden, hidden == 1 ? "one" : "ones") : "";
  std::string title =
      fmt::format("{}, {} allreduces: {} in a verify pass, {} in a plain step", result.model,
                  result.allreduces, format_size(result.verify_message), format_size(result.plain_message));
  if (result.estimate) title = fmt::format("by allreduce: {}; {}", question_text(*result.estimate), title);
  if (!layouts && !result.estimate) title += "; " + candidates.front()->layout;
  if (!modes) title += fmt::format("{} {}", layouts ? ";" : ",", to_string(candidates.front()->mode));
  return {
      std::move(title), columns.take(),
      "~ by the medians of the calibrated step, r reported, a assumed; a time of a call without a mark is "
      "measured; how far it may be off stands in the decision" +
          rest};
}

TitledGrid replay_table(const SpecResult& result, bool all) {
  const std::vector<const SpecCandidate*> candidates = shown_candidates(result, all);
  const auto shown = [&](const SpecReplay& replay) {
    return all ||
           (replay.step == "verify" && std::ranges::any_of(candidates, [&](const SpecCandidate* candidate) {
              return candidate->strategy == replay.candidate && candidate->mode == replay.mode;
            }));
  };
  GridLines columns;
  columns.add({"step"}, Align::left);
  columns.add({"strategy"}, Align::left);
  columns.add({"mode"}, Align::left);
  columns.add({"calls"});
  columns.add({"ms per", "step"});
  columns.add({"us per", "call"});
  columns.add({"compute", "ms"});
  columns.add({"exposed", "ms"});
  columns.add({"share of", "step"});
  for (const SpecReplay& replay : result.replays) {
    if (!shown(replay)) continue;
    const double step = replay.time.median_ns;
    columns.line({replay.step, replay.candidate, std::string(to_string(replay.mode)),
                  fmt::format("{}", replay.calls), format_three_digits(step / kMs),
                  replay.alone_ns ? "" : format_three_digits(step / std::max(replay.calls, 1) / kUs),
                  replay.alone_ns ? format_three_digits(*replay.alone_ns / kMs) : "",
                  replay.exposed_ns ? format_three_digits(*replay.exposed_ns / kMs) : "",
                  replay.exposed_ns ? fmt::format("{:.0f}%", 100 * *replay.exposed_ns / step) : ""});
  }
  return {"replayed steps, measured whole (median, slowest rank)", columns.take(), ""};
}

TitledGrid memory_table(const SpecResult& result) {
  GridLines columns;
  columns.add({"layout"}, Align::left);
  columns.add({"weights", "GiB"});
  columns.add({"free after", "weights"});
  columns.add({"KV pool", "GiB"});
  columns.add({"KV tokens"});
  columns.add({"comes up from", "mem-fraction"});
  for (const SpecMemory& memory : result.memory) {
    const bool fits = memory.kv_pool_bytes > 0;
    columns.line({memory.layout, fmt::format("~{:.1f}", memory.weights_bytes / kGib),
                  fmt::format("{}{:.1f}", mark(memory.origin), memory.free_bytes / kGib),
                  fits ? fmt::format("~{:.1f}", memory.kv_pool_bytes / kGib) : "none: out of memory",
                  memory.kv_tokens && fits ? fmt::format("~{:.0f}", *memory.kv_tokens) : "",
                  memory.least_fraction < 1 ? fmt::format("~{:.3f}", memory.least_fraction) : "does not fit"},
                 fits ? Style::plain : Style::warning);
  }
  return {"memory of each GPU", columns.take(), ""};
}

// A machine whose memory is not known hides no table: it says so.
TitledGrid unknown_memory_table(const SpecResult& result) {
  GridLines columns;
  columns.add({"weights and KV pool"}, Align::left);
  columns.line(
      {result.machine.empty()
           ? std::string("not known: no machine is named (--machine)")
           : fmt::format("not known: the profile of {} doesn't have it ([memory] gib)", result.machine)},
      Style::plain);
  return {"memory of each GPU", columns.take(), ""};
}

TitledGrid explanation_table(const SpecResult& result) {
  GridLines columns;
  columns.add({"it would be explained by"}, Align::left);
  columns.add({"value"});
  columns.add({"range"});
  columns.add({"possible"}, Align::left);
  columns.add({"note"}, Align::left);
  for (const SpecExplanation& e : result.explanations) {
    columns.line({fmt::format("{}, {}", e.quantity, e.unit), "~" + format_three_digits(e.value),
                  range_text(e.range), e.possible ? "yes" : "no", e.note},
                 e.possible ? Style::plain : Style::warning);
  }
  return {"the observed throughput", columns.take(), ""};
}

TitledGrid input_table(const SpecResult& result) {
  GridLines columns;
  columns.add({"input"}, Align::left);
  columns.add({"value"});
  columns.add({"unit"}, Align::left);
  columns.add({"range"});
  columns.add({"origin"}, Align::left);
  columns.add({"source"}, Align::left);
  for (const SpecInput& input : result.inputs) {
    columns.line({input.key, format_three_digits(input.value), input.unit, range_text(input.range),
                  std::string(to_string(input.origin)), input.source});
  }
  return {"what it rests on", columns.take(), ""};
}

}  // namespace

std::vector<TitledGrid> spec_tables(const SpecResult& result, bool all) {
  std::vector<TitledGrid> tables;
  if (result.estimate) tables = estimate_tables(*result.estimate, all);
  if (all) tables.push_back(input_table(result));
  if (!result.replays.empty()) tables.push_back(replay_table(result, all));
  tables.push_back(candidate_table(result, all));
  if (!result.memory.empty())
    tables.push_back(memory_table(result));
  else if (!result.model.empty())
    tables.push_back(unknown_memory_table(result));
  if (all && !result.explanations.empty()) tables.push_back(explanation_table(result));
  return tables;
}

}  // namespace ringside
