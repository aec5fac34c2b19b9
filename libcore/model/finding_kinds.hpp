#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/exit_code.hpp"
#include "model/enum_names.hpp"

namespace ringside {

enum class Severity { note, warning, error };

template <>
struct EnumNames<Severity> {
  static constexpr std::string_view what = "severity";
  static constexpr std::string_view names[] = {"note", "warning", "error"};
};

// What JUnit makes of a finding that ends a test: a number that did not come out right is a failure, a case
// that could not be run to its end an error.
enum class JUnitClass { none, failure, error };

template <>
struct EnumNames<JUnitClass> {
  static constexpr std::string_view what = "class of JUnit";
  static constexpr std::string_view names[] = {"none", "failure", "error"};
};

// A kind of finding, and everything that is decided by it.
struct FindingKind {
  std::string_view id;                 // stable; Documents hold it
  Severity severity = Severity::note;  // as a rule; a finding holds its own
  ExitCode exit = ExitCode::ok;        // of a run that has such a finding
  JUnitClass junit = JUnitClass::none;
  std::string_view sentence;  // what it says, for people

  operator std::string() const { return std::string(id); }
};

// All kinds, by id. docs/findings.md is made from them.
inline constexpr std::array kFindingKinds = {
    FindingKind{"alone", Severity::note, ExitCode::ok, JUnitClass::none,
                "Only one strategy has a time at this size, so there is nothing to compare."},
    FindingKind{"ambiguous", Severity::note, ExitCode::ok, JUnitClass::none,
                "A case of a comparison shows neither a change nor that there is none."},
    FindingKind{"asked-not-run", Severity::warning, ExitCode::ok, JUnitClass::none,
                "The library ran another algorithm or protocol than the one that was asked for."},
    FindingKind{"assumed-version", Severity::warning, ExitCode::ok, JUnitClass::none,
                "No server version was given, and one is assumed."},
    FindingKind{"box-differs", Severity::warning, ExitCode::ok, JUnitClass::none,
                "Two boxes differ in a fact that a check goes by."},
    FindingKind{"box-differs-in-error", Severity::error, ExitCode::regression, JUnitClass::failure,
                "A check finds an error on one of two boxes."},
    FindingKind{"box-error", Severity::error, ExitCode::regression, JUnitClass::failure,
                "A check of this box found what ends a server's own call."},
    FindingKind{"box-hint", Severity::warning, ExitCode::ok, JUnitClass::none,
                "A check of this box found what good boxes show too."},
    FindingKind{"broken-line", Severity::warning, ExitCode::ok, JUnitClass::none,
                "A line of a launch script cuts off the options that follow it."},
    FindingKind{"clocks-held", Severity::warning, ExitCode::ok, JUnitClass::none,
                "GPU clocks were held down while a case was measured."},
    FindingKind{"clocks-moved", Severity::warning, ExitCode::ok, JUnitClass::none,
                "Cores or GPUs changed their speed while they were measured."},
    FindingKind{"conditions-differ", Severity::warning, ExitCode::ok, JUnitClass::none,
                "The two sides of a comparison were not measured under the same conditions."},
    FindingKind{"config-doubt", Severity::warning, ExitCode::ok, JUnitClass::none,
                "A value of a config.json was read without being known for sure."},
    FindingKind{"cores-shared", Severity::warning, ExitCode::ok, JUnitClass::none,
                "There are more ranks than cores that they may use, so that they take turns."},
    FindingKind{"cpu-throttled", Severity::warning, ExitCode::ok, JUnitClass::none,
                "The CPU quota of a control group stopped the ranks while they were measured."},
    FindingKind{"custom-table-unreadable", Severity::warning, ExitCode::ok, JUnitClass::none,
                "A stored table of custom can't be used, and the built-in one is taken."},
    FindingKind{"earlier-launch", Severity::note, ExitCode::ok, JUnitClass::none,
                "How an earlier launch in the same log ended."},
    FindingKind{"floor-unknown", Severity::note, ExitCode::ok, JUnitClass::none,
                "What the link allows at best was not measured as a whole, so rows have no floor."},
    FindingKind{"formula", Severity::note, ExitCode::ok, JUnitClass::none,
                "How a modelled time was calculated."},
    FindingKind{"from-file", Severity::note, ExitCode::ok, JUnitClass::none,
                "What was read from a benchmark, a metrics or a communication file."},
    FindingKind{"from-log", Severity::note, ExitCode::ok, JUnitClass::none,
                "What was read from a server's log."},
    FindingKind{"hang", Severity::error, ExitCode::ok, JUnitClass::none,
                "Which ranks hold a job up, by what NCCL says of its collectives."},
    FindingKind{
        "host-strategies", Severity::warning, ExitCode::ok, JUnitClass::none,
        "A build without CUDA calculates the host device's strategies in the place of those for GPUs."},
    FindingKind{"impossible-speed", Severity::warning, ExitCode::ok, JUnitClass::none,
                "An observed speed lies beyond what memory and link allow; it is shown and not used."},
    FindingKind{"impossible-time", Severity::error, ExitCode::environment, JUnitClass::error,
                "A time lies below what the link allows: it is not that of the work, or the floor is wrong."},
    FindingKind{"improvement", Severity::note, ExitCode::ok, JUnitClass::none,
                "A case became faster than before."},
    FindingKind{"interrupted", Severity::warning, ExitCode::interrupted, JUnitClass::error,
                "The run was interrupted; what was finished is kept."},
    FindingKind{"known-warning", Severity::warning, ExitCode::ok, JUnitClass::none,
                "A log shows a warning that is known to matter."},
    FindingKind{"log-differs", Severity::warning, ExitCode::ok, JUnitClass::none,
                "A log was printed by another launch than the command beside it."},
    FindingKind{"log-not-read", Severity::warning, ExitCode::ok, JUnitClass::none,
                "Some of a log could not be read, such as the middle of an endless line."},
    FindingKind{"machine-busy", Severity::warning, ExitCode::ok, JUnitClass::none,
                "Something else used the ranks' cores while they were measured."},
    FindingKind{"machines-differ", Severity::warning, ExitCode::ok, JUnitClass::none,
                "The two sides of a comparison are from different machines: ratios are shown, not judged."},
    FindingKind{"measured-apart", Severity::warning, ExitCode::ok, JUnitClass::none,
                "Strategies of a size were measured one after the other, not in turns, for want of memory."},
    FindingKind{"model-contradicted", Severity::warning, ExitCode::ok, JUnitClass::none,
                "What a server reported is far from what the machine's model says."},
    FindingKind{"model-disagrees", Severity::warning, ExitCode::ok, JUnitClass::none,
                "The calibrated model says otherwise than two measured speeds; the measured ones decide."},
    FindingKind{"no-change-helps", Severity::note, ExitCode::ok, JUnitClass::none,
                "No change of one or two flags leads to an outcome without a failure."},
    FindingKind{"no-events", Severity::warning, ExitCode::ok, JUnitClass::none,
                "A live run reported nothing through its hook."},
    FindingKind{"no-longer-measured", Severity::error, ExitCode::inconclusive, JUnitClass::error,
                "A case was measured in the base and has no time in the new result."},
    FindingKind{"no-longer-works", Severity::error, ExitCode::regression, JUnitClass::failure,
                "A case worked in the base and no longer does."},
    FindingKind{"no-model", Severity::warning, ExitCode::ok, JUnitClass::none,
                "The model is not known, so run-spec answers only what was measured."},
    FindingKind{"no-room-for-kv", Severity::warning, ExitCode::ok, JUnitClass::none,
                "The weights leave no room for a KV pool."},
    FindingKind{"not-admitted", Severity::note, ExitCode::ok, JUnitClass::none,
                "A strategy can't run a case on this machine."},
    FindingKind{"not-available", Severity::note, ExitCode::ok, JUnitClass::none,
                "A strategy could not be set up on this machine."},
    FindingKind{"not-comparable", Severity::warning, ExitCode::ok, JUnitClass::none,
                "Two observed speeds are of different batches, contexts or arguments."},
    FindingKind{"not-reached", Severity::warning, ExitCode::ok, JUnitClass::none,
                "The sweep ended before a case was measured."},
    FindingKind{"not-the-cause", Severity::note, ExitCode::ok, JUnitClass::none,
                "Something near a death that did not cause it."},
    FindingKind{"nothing-compared", Severity::error, ExitCode::inconclusive, JUnitClass::error,
                "No case of a comparison has a time on both sides."},
    FindingKind{"nothing-measured", Severity::error, ExitCode::environment, JUnitClass::error,
                "No case of a sweep could be run on this machine."},
    FindingKind{"observed-consistent", Severity::note, ExitCode::ok, JUnitClass::none,
                "A possible acceptance length explains the observed throughput."},
    FindingKind{"observed-inconsistent", Severity::warning, ExitCode::ok, JUnitClass::none,
                "No possible acceptance length explains the observed throughput."},
    FindingKind{"open-ended", Severity::warning, ExitCode::ok, JUnitClass::none,
                "Arguments come from outside a launch script and are not seen."},
    FindingKind{"other-ranks", Severity::warning, ExitCode::ok, JUnitClass::none,
                "The communication was measured with another number of ranks than the scenario has."},
    FindingKind{"other-server", Severity::note, ExitCode::ok, JUnitClass::none,
                "How another server ended that prints into the same log."},
    FindingKind{"profiled", Severity::note, ExitCode::ok, JUnitClass::none,
                "Each case ran once for a profiler; there are no statistics."},
    FindingKind{"ran-differs", Severity::note, ExitCode::ok, JUnitClass::none,
                "The two sides of a comparison ran another kernel in some cases."},
    FindingKind{"rank-lost", Severity::error, ExitCode::hang, JUnitClass::error,
                "A rank ended while a case was measured."},
    FindingKind{"ranks-restarted", Severity::warning, ExitCode::hang, JUnitClass::error,
                "Ranks were lost between two cases and started again."},
    FindingKind{"recommendation", Severity::note, ExitCode::ok, JUnitClass::none,
                "What run-spec recommends."},
    FindingKind{"refused-argument", Severity::error, ExitCode::ok, JUnitClass::none,
                "The server's argument parser refuses an option or its value."},
    FindingKind{"regression", Severity::error, ExitCode::regression, JUnitClass::failure,
                "A case became slower than before."},
    FindingKind{"remedy", Severity::note, ExitCode::ok, JUnitClass::none,
                "A change that mends the death of a launch."},
    FindingKind{"replay-differs", Severity::warning, ExitCode::ok, JUnitClass::none,
                "A replayed step takes another time than its calls alone account for."},
    FindingKind{"replay-failed", Severity::error, ExitCode::environment, JUnitClass::error,
                "A replay of a step could not run to its end."},
    FindingKind{"replay-lost", Severity::error, ExitCode::hang, JUnitClass::error,
                "A rank ended while a step was replayed."},
    FindingKind{"replay-timeout", Severity::error, ExitCode::hang, JUnitClass::error,
                "The replay of a step did not end in time."},
    FindingKind{"reported-for-another", Severity::note, ExitCode::ok, JUnitClass::none,
                "Numbers of a scenario were reported for another setting and are left out."},
    FindingKind{"request-differs", Severity::note, ExitCode::ok, JUnitClass::none,
                "A case was measured again with other settings than the result records."},
    FindingKind{"root-cause", Severity::error, ExitCode::ok, JUnitClass::none, "Why a launch died."},
    FindingKind{"scope-not-covered", Severity::warning, ExitCode::inconclusive, JUnitClass::error,
                "No failure was found, and a part that --scope asks for was not looked at."},
    FindingKind{"secrets-left-out", Severity::note, ExitCode::ok, JUnitClass::none,
                "Values that may be secrets were left out of what is recorded and shown."},
    FindingKind{"skew", Severity::note, ExitCode::ok, JUnitClass::none, "What a late rank costs."},
    FindingKind{"slowdown-injected", Severity::warning, ExitCode::ok, JUnitClass::none,
                "A strategy was made slower on purpose."},
    FindingKind{"slower-than-published", Severity::warning, ExitCode::ok, JUnitClass::none,
                "A strategy takes more than 1.5 times what is published for the same GPU model and count."},
    FindingKind{"strategy-error", Severity::error, ExitCode::environment, JUnitClass::error,
                "A case could not run."},
    FindingKind{"symptom", Severity::note, ExitCode::ok, JUnitClass::none, "What a death looks like."},
    FindingKind{"tie", Severity::note, ExitCode::ok, JUnitClass::none,
                "No strategy is faster than the others beyond what was measured."},
    FindingKind{"timeout", Severity::error, ExitCode::hang, JUnitClass::error, "A case did not end in time."},
    FindingKind{"times-unknown", Severity::warning, ExitCode::ok, JUnitClass::none,
                "The sides of a comparison are of different times, and how much the machine changes between "
                "times is not known."},
    FindingKind{"too-many-timeouts", Severity::warning, ExitCode::ok, JUnitClass::none,
                "A strategy timed out twice, and its other cases are skipped."},
    FindingKind{"undecided", Severity::note, ExitCode::ok, JUnitClass::none,
                "There are too few launches, or facts, for a verdict."},
    FindingKind{"unexpected-outcome", Severity::error, ExitCode::regression, JUnitClass::failure,
                "A launch ends in another outcome than the expected one."},
    FindingKind{"unexpected-verdict", Severity::error, ExitCode::regression, JUnitClass::failure,
                "Speculation pays or loses, and the opposite was expected."},
    FindingKind{"unknown-flag", Severity::warning, ExitCode::ok, JUnitClass::none,
                "A server version does not have an option of the command."},
    FindingKind{"unknown-model", Severity::warning, ExitCode::ok, JUnitClass::none,
                "The model's facts are not known."},
    FindingKind{"unknown-value", Severity::warning, ExitCode::ok, JUnitClass::none,
                "The value of an option is not known to the server version."},
    FindingKind{"unknown-words", Severity::warning, ExitCode::ok, JUnitClass::none,
                "A part of a command is not known, such as the output of another command."},
    FindingKind{"unreadable-source", Severity::warning, ExitCode::ok, JUnitClass::none,
                "A source file could not be read, and what it decides is unknown."},
    FindingKind{"unsafe-after-producer", Severity::warning, ExitCode::ok, JUnitClass::none,
                "A library's collective gives a wrong result when the kernel before it lets it start early "
                "(programmatic dependent launch)."},
    FindingKind{"verdict-open", Severity::error, ExitCode::inconclusive, JUnitClass::error,
                "An expected verdict about speculation is open."},
    FindingKind{"winner", Severity::note, ExitCode::ok, JUnitClass::none,
                "A strategy is faster than all others in every launch."},
    FindingKind{"wrong-data", Severity::error, ExitCode::wrong_data, JUnitClass::failure,
                "A collective gave a wrong result."}};

// The kind with this id; does not compile for one that is not in the list.
consteval const FindingKind& finding_kind(std::string_view id) {
  const auto* const found = std::ranges::find(kFindingKinds, id, &FindingKind::id);
  if (found == kFindingKinds.end()) throw "no such kind of finding";
  return *found;
}

// The same at run time; null for one of another version.
const FindingKind* find_finding_kind(std::string_view id);

// What a run with such a finding ends with; ok for a kind that is not known.
ExitCode exit_of(std::string_view kind);

// Whether a finding with this id ("kind:subject") is of the kind.
inline bool is_of_kind(std::string_view finding_id, const FindingKind& kind) {
  return finding_id.substr(0, finding_id.find(':')) == kind.id;
}

inline bool operator==(const std::string& kind, const FindingKind& known) {
  return kind == known.id;
}

}  // namespace ringside
