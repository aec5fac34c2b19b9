// What to set so that a server takes a faster way. Which way it takes is the support table's answer;
// ringside's strategies stand in for the server's kernels: the same algorithm, not the same code.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "base/text.hpp"
#include "report/export/decision.hpp"
#include "report/export/machine_facts.hpp"
#include "report/views/size_ranges.hpp"
#include "support/evaluate.hpp"

namespace ringside {
namespace {

// A path with its kernel, and what stands in for it.
struct Way {
  std::string name;        // "custom-v2 (one-shot push)"
  std::string stand_in;    // a family of strategies; empty: nothing does the same
  std::string unless_ran;  // SupportPath::stand_in_unless_ran
};

struct Answer {
  std::optional<Way> way;
  std::string missing;  // what would have to be known; empty where there is a way
  bool kernel_known = true;
};

// Sizes about which the same is to be said.
using Ranges = std::vector<std::pair<std::string, std::vector<Bytes>>>;

void add(Ranges& ranges, const std::string& text, Bytes size) {
  const auto same = std::ranges::find(ranges, text, &Ranges::value_type::first);
  (same == ranges.end() ? ranges.emplace_back(text, std::vector<Bytes>{}) : *same).second.push_back(size);
}

class Server {
 public:
  Server(const DecisionBasis& basis, const SupportTable& table, const Edition& edition)
      : basis_(basis), table_(table), edition_(edition) {
    const MachineFacts facts = machine_facts(basis);
    query_.ranks = basis.block.ranks;
    query_.dtype = basis.block.dtype;
    query_.mode = basis.block.mode;
    query_.compute_capability = facts.compute_capability;
    query_.link = facts.link;
    query_.multicast = facts.multicast;
    query_.nccl = facts.nccl;
    for (const SizeLine& line : basis.block.lines) sizes_.push_back(line.bytes);
  }

  std::string ways() const {
    Ranges ranges;
    for (const Bytes size : sizes_) {
      const Answer answer = ask(size);
      std::string text = "not known: " + answer.missing;
      if (answer.way) {
        const std::string& stand_in = answer.way->stand_in;
        text = answer.way->name + "; " +
               (stand_in.empty() ? "nothing here stands for it" : stand_in + " stands for it");
        if (stand_in == basis_.reference) text = answer.way->name;
      }
      add(ranges, text, size);
    }
    std::string text;
    for (const auto& [what, sizes] : ranges) text += comment(in_words(sizes) + ": " + what);
    return text;
  }

  // Paths that the assumptions about the calls leave out.
  std::string left_out() const {
    std::string text;
    for (const SupportFact& fact : table_.facts) {
      if (!fact.assumed) continue;
      const bool matters = std::ranges::any_of(sizes_, [&](Bytes size) {
        SupportQuery query = query_at(size);
        const SupportAnswer with = evaluate(table_, edition_, query);
        query.facts.erase(fact.name);
        return evaluate(table_, edition_, query).missing != with.missing;
      });
      if (matters)
        text += comment(fmt::format("taken as {}: {}", *fact.assumed ? "true" : "false", fact.title));
    }
    return text;
  }

  // An option with what it would do, as text; how much it gains, where it is to be set.
  struct Advice {
    std::string text;
    std::optional<double> gain;
    const SupportOption* option = nullptr;
  };
  Advice weigh(const SupportOption& option) const {
    Advice advice{.text = {}, .gain = {}, .option = &option};
    Ranges ranges;
    double gain = 0;
    std::size_t wins = 0;
    bool safe = true, changes = false;
    for (const Bytes size : probes()) {
      const Answer before = ask(size), after = ask(size, &option);
      if (same(before, after)) continue;
      changes = true;
      const Comparison result = compare(size, before, after);
      safe = safe && result.safe;
      if (result.gain) {
        ++wins;
        gain += *result.gain;
      }
      add(ranges, result.text, size);
    }
    if (!changes) return advice;
    for (const auto& [what, sizes] : ranges)
      advice.text += comment(fmt::format("{}: {}: {}", setting(option), in_words(sizes), what));
    if (safe && wins > 0) advice.gain = gain;
    return advice;
  }

  static std::string setting(const SupportOption& option) {
    const bool flag = option.name.starts_with("--") && option.value == "on";
    return flag ? option.name : option.name + "=" + option.value;
  }

 private:
  struct Comparison {
    std::string text;
    bool safe = false;           // the other way is not slower
    std::optional<double> gain;  // logarithm of its margin, where it is faster
  };

  SupportQuery query_at(Bytes size) const {
    SupportQuery query = query_;
    query.bytes = size;
    for (const SupportFact& fact : table_.facts) {
      if (fact.assumed) query.facts[fact.name] = *fact.assumed;
    }
    return query;
  }

  Answer ask(Bytes size, const SupportOption* option = nullptr) const {
    SupportQuery query = query_at(size);
    if (option != nullptr) query.switches[option->name] = option->value;
    const SupportAnswer answer = evaluate(table_, edition_, query);
    const PathVerdict* choice = answer.choice();
    if (choice == nullptr) {
      const std::string missing = join(answer.missing, "; ");
      return {{}, missing.empty() ? "nothing takes it" : missing, true};
    }
    const bool kernel_known = choice->path->kernels.empty() || !choice->kernel.empty();
    const std::string name =
        choice->path->name + (choice->kernel.empty() ? "" : fmt::format(" ({})", choice->kernel));
    return {Way{kernel_known ? name : name + " (which of its kernels is not known)", choice->stand_in,
                choice->path->stand_in_unless_ran},
            {},
            kernel_known};
  }

  static bool same(const Answer& a, const Answer& b) {
    if (a.way.has_value() != b.way.has_value()) return false;
    return a.way ? a.way->name == b.way->name : a.missing == b.missing;
  }

  // The measured sizes, and those that a setting changes as well, up to where bandwidth alone decides.
  std::vector<Bytes> probes() const {
    std::vector<Bytes> sizes = sizes_;
    for (Bytes size = 4_KiB; size <= kLargeMessage; size.count *= 2) sizes.push_back(size);
    std::ranges::sort(sizes);
    const auto rest = std::ranges::unique(sizes);
    sizes.erase(rest.begin(), rest.end());
    return sizes;
  }

  const Row* stand_in(Bytes size, const Way& way) const {
    const std::string& family = way.stand_in;
    const SizeLine* line = basis_.block.line(size);
    if (line == nullptr || family.empty()) return nullptr;
    const Row* found = nullptr;
    for (const std::string& entry : basis_.block.entries) {
      const Row* row = basis_.block.row(*line, entry);
      if (!has_result(row) || row->params.family != family || row->setting) continue;
      if (!way.unless_ran.empty() && row->ran && row->ran->starts_with(way.unless_ran)) continue;
      if (row->params.strategy == family) return row;
      if (found == nullptr) found = row;
    }
    return found;
  }

  // A size between two measured ones is taken for decided by them.
  bool between_measured(Bytes size) const {
    return basis_.block.line(size) == nullptr && size > sizes_.front() && size < sizes_.back();
  }

  Comparison compare(Bytes size, const Answer& before, const Answer& after) const {
    if (!before.way || !after.way) {
      const std::string& missing = before.way ? after.missing : before.missing;
      return {.text = "not known: " + missing, .safe = false, .gain = {}};
    }
    const std::string change = fmt::format("{} in place of {}", after.way->name, before.way->name);
    if (between_measured(size) && !before.way->stand_in.empty() && !after.way->stand_in.empty())
      return {.text = change + ", between measured sizes", .safe = true, .gain = {}};
    for (const Way* way : {&*before.way, &*after.way}) {
      if (way->stand_in.empty())
        return {
            .text = fmt::format("{}: {} is not measured here", change, way->name), .safe = false, .gain = {}};
    }
    const Contest result = contest(stand_in(size, *after.way), stand_in(size, *before.way));
    using Kind = Contest::Kind;
    switch (result.kind) {
      case Kind::not_measured:
        return {.text = change + ": not measured", .safe = false, .gain = {}};
      case Kind::slower:
        return {.text = change + ": slower", .safe = false, .gain = {}};
      case Kind::even:
        return {.text = change + ": not slower by more than 2 %", .safe = true, .gain = {}};
      case Kind::undecided:
        return {
            .text = fmt::format("{}: undecided{}", change,
                                result.launches < kDecidingLaunches
                                    ? fmt::format(", {} of {} launches", result.launches, kDecidingLaunches)
                                    : ", the intervals overlap"),
            .safe = false,
            .gain = {}};
      case Kind::faster:
        break;
    }
    return {.text = change + ": faster", .safe = true, .gain = std::log(result.margin.ratio)};
  }

  std::string in_words(const std::vector<Bytes>& sizes) const { return size_ranges(sizes, probes()); }

  const DecisionBasis& basis_;
  const SupportTable& table_;
  const Edition& edition_;
  SupportQuery query_;
  std::vector<Bytes> sizes_;
};

std::string edition_lines(const SupportTable& table, const Edition& edition, bool asked) {
  const ReadEdition& newest = table.editions.back();
  const std::string day =
      edition.from == edition.to && edition.from != edition.name ? " of " + edition.to : "";
  std::string text = fmt::format("server   {} {}{}", table.title, edition.name, day);
  if (!asked)
    text += fmt::format(", the newest that was read; for yours: --export {}@VERSION, or @YYYY-MM-DD",
                        table.framework);
  else if (edition.standing == Edition::Standing::read && edition.from != newest.date)
    text += fmt::format(", rules read up to {}", newest.text());
  return comment(text) + (edition.note.empty() ? "" : comment("note     " + edition.note));
}

}  // namespace

std::string server_settings(const DecisionBasis& basis, const std::string& framework,
                            std::string_view version) {
  const SupportTable table = find_support_table(framework);
  const Edition edition = find_edition(table.editions, version);
  std::string text = validity(basis) + edition_lines(table, edition, !version.empty());
  if (edition.standing == Edition::Standing::newer || edition.standing == Edition::Standing::older)
    return text + comment("nothing to set, because " + edition.note);
  const Server server(basis, table, edition);
  text += comment(
      "ringside's kernels stand in for the server's: the same algorithm, not the same code. By default it "
      "takes:");
  text += server.ways() + server.left_out();
  Server::Advice best;
  for (const SupportOption& option : table.options) {
    if (option.period.of(edition) == Period::Cover::none) continue;
    Server::Advice advice = server.weigh(option);
    text += advice.text;
    if (advice.gain && (!best.gain || *advice.gain > *best.gain)) best = std::move(advice);
  }
  if (!best.gain)
    return text +
           comment(fmt::format(
               "nothing to set, because no switch of {} is known to change its choice for the better by this "
               "result",
               table.title));
  text += comment(fmt::format(
      "{} is faster where it changes something, and slower at no measured size. Messages above {} "
      "were not measured. Check with the server.",
      Server::setting(*best.option), format_size(basis.block.lines.back().bytes)));
  if (!best.option->cost.empty()) text += comment("beside that " + best.option->cost);
  if (best.option->name.starts_with("--"))
    return text + comment("start the server with " + Server::setting(*best.option));
  return text + Server::setting(*best.option) + "\n";
}

}  // namespace ringside
