#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/enum_names.hpp"
#include "model/field_range.hpp"

namespace ringside {

// What became of a step.
enum class StepResult { ran, skipped, undecided, died };

// Why a step stands out.
enum class StepMark { none, should_have_set, set_to_none, died };

template <>
struct EnumNames<StepResult> {
  static constexpr std::string_view what = "step result";
  static constexpr std::string_view names[] = {"ran", "skipped", "undecided", "died"};
};

template <>
struct EnumNames<StepMark> {
  static constexpr std::string_view what = "step mark";
  static constexpr std::string_view names[] = {"none", "should-have-set", "set-to-none", "died"};
};

std::string_view to_string(StepResult result);
std::string_view to_string(StepMark mark);

struct TraceStep {
  int depth = 0;
  std::string worker;
  std::string ranks;
  std::string file;
  int line = 0;
  std::string function;
  std::string guard;
  std::vector<std::pair<std::string, std::string>> decided_by;
  std::string effect;
  StepResult result = StepResult::ran;
  StepMark mark = StepMark::none;
  std::optional<double> time_s;
  std::optional<std::string> process;
};

template <typename Fields>
void describe(Fields& fields, const TraceStep*) {
  fields.record("trace_step", "One step of the initialisation.");
  fields.add("depth", &TraceStep::depth, "Of calls.", ranges::kCount);
  fields.add("worker", &TraceStep::worker, "main, target or draft; empty in a log that does not say.");
  fields.add("ranks", &TraceStep::ranks, "Such as '0-7'; empty: the main process.");
  fields.add("file", &TraceStep::file, "Under python/sglang/srt, or a path.");
  fields.add("line", &TraceStep::line, "In the file.", ranges::kCount);
  fields.add("function", &TraceStep::function, "Where the line stands.");
  fields.add("guard", &TraceStep::guard, "The condition under which it runs; empty: always.");
  fields.add("decided_by", &TraceStep::decided_by, "Names in the condition and their values.");
  fields.add("effect", &TraceStep::effect, "What it does, such as 'expert_location_metadata = None'.");
  fields.add("result", &TraceStep::result, "What became of it.");
  fields.add("mark", &TraceStep::mark, "Why it stands out.");
  fields.add("time_s", &TraceStep::time_s, "Since the launch, when live; else null.", ranges::kMoment);
  fields.add("process", &TraceStep::process,
             "Which process, such as 'scheduler TP3 EP3 (pid 4711)', when live; else null.");
}

struct TraceFrame {
  std::string file;
  int line = 0;
  std::string function;
  std::string source = {};
};

template <typename Fields>
void describe(Fields& fields, const TraceFrame*) {
  fields.record("trace_frame", "One frame of a traceback.");
  fields.add("file", &TraceFrame::file, "Path.");
  fields.add("line", &TraceFrame::line, "In the file.", ranges::kCount);
  fields.add("function", &TraceFrame::function, "Its name.");
  fields.add("source", &TraceFrame::source, "The line's text, where a log shows it; may be empty.");
}

// The end of a launch that died.
struct TraceDeath {
  std::string error;
  std::string message;
  std::string worker;
  std::string ranks;
  std::string phase;
  std::vector<TraceFrame> frames;
  std::string process = {};
  std::optional<int> log_line = {};
  std::optional<double> after_s = {};
  std::vector<std::string> chain = {};
  std::vector<std::string> follow_ups = {};
};

template <typename Fields>
void describe(Fields& fields, const TraceDeath*) {
  fields.record("trace_death", "The exception that ended the launch.");
  fields.add("error", &TraceDeath::error,
             "Type of the exception, such as 'AssertionError'; empty: a process ended without one.");
  fields.add("message", &TraceDeath::message,
             "All its lines, or the last words of a process that left no exception; may be empty.");
  fields.add("worker", &TraceDeath::worker, "main, target, draft or empty.");
  fields.add("ranks", &TraceDeath::ranks, "Such as '0-7'; may be empty.");
  fields.add("phase", &TraceDeath::phase,
             "What was going on, such as 'warm-up before the capture of a CUDA graph'; may be empty.");
  fields.add("frames", &TraceDeath::frames, "Outermost first.");
  fields
      .add("process", &TraceDeath::process,
           "Which process died, as its log names it, such as 'rank 5' or 'EngineCore_DP0'; empty: not said.")
      .since_minor(5);
  fields
      .add("log_line", &TraceDeath::log_line, "Of the exception or the last words; null: no log.",
           ranges::kCount)
      .since_minor(5);
  fields
      .add("after_s", &TraceDeath::after_s,
           "Since the launch began, by the clock of its log; null: not known.", ranges::kMoment)
      .since_minor(5);
  fields.add("chain", &TraceDeath::chain, "What was raised next in the same chain, such as 'KeyError: 12'.")
      .since_minor(5);
  fields
      .add("follow_ups", &TraceDeath::follow_ups,
           "What other processes said of this death: it is none of the cause.")
      .since_minor(5);
}

// One launch of those that a log holds.
struct TraceLaunch {
  std::string server;
  int first_line = 0, last_line = 0;
  std::string outcome;
  std::string summary;
};

template <typename Fields>
void describe(Fields& fields, const TraceLaunch*) {
  fields.record("trace_launch", "One launch of those that a log holds.");
  fields.add("server", &TraceLaunch::server,
             "What tells its lines from those of other servers in the log; empty: there is one server.");
  fields.add("first_line", &TraceLaunch::first_line, "Of the log.", ranges::kCount);
  fields.add("last_line", &TraceLaunch::last_line, "Of the log.", ranges::kCount);
  fields.add("outcome", &TraceLaunch::outcome, "As of the trace.").not_empty();
  fields.add("summary", &TraceLaunch::summary, "One sentence.");
}

// Changes of the command that lead to another outcome.
struct Counterfactual {
  std::vector<std::string> changes;
  std::string outcome;
  std::string gives_up;
  int cost = 0;
};

template <typename Fields>
void describe(Fields& fields, const Counterfactual*) {
  fields.record("counterfactual", "Changes of the command that lead to another outcome.");
  fields.add("changes", &Counterfactual::changes, "Flags, such as '--moe-a2a-backend none'.");
  fields.add("outcome", &Counterfactual::outcome, "As of the trace.");
  fields.add("gives_up", &Counterfactual::gives_up, "What is lost.");
  fields.add("cost", &Counterfactual::cost, "The smaller the cheaper; only the order means something.",
             ranges::kCount);
}

// A part of a launch that was looked at, or was not.
struct TraceScope {
  std::string scope;
  bool covered = false;
  std::string text;
  int checks = 0;
  int evaluated = 0;
  std::vector<std::string> not_evaluated;
};

template <typename Fields>
void describe(Fields& fields, const TraceScope*) {
  fields.record("trace_scope", "A part of a launch that was looked at, or was not.");
  fields.add("scope", &TraceScope::scope, "arguments, experts or memory.").not_empty();
  fields.add("covered", &TraceScope::covered, "Whether it was looked at.");
  fields.add("text", &TraceScope::text, "What of it was looked at, or why nothing was.");
  fields.add("checks", &TraceScope::checks,
             "Of the server's own, that this part has; 0: they are not counted.", ranges::kCount);
  fields.add("evaluated", &TraceScope::evaluated, "Of these checks.", ranges::kCount);
  fields.add("not_evaluated", &TraceScope::not_evaluated,
             "The others: place, function and why, a line each.");
}

struct InitTrace {
  std::string pipeline;
  std::string title;
  std::string outcome;
  std::string summary;
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<TraceStep> steps;
  std::optional<TraceDeath> death;
  std::vector<std::string> undecided;
  std::vector<Counterfactual> counterfactuals;
  std::vector<TraceScope> scopes = {};
  std::vector<std::string> not_checked = {};
  std::vector<TraceLaunch> launches = {};
};

template <typename Fields>
void describe(Fields& fields, const InitTrace*) {
  fields.record("trace", "The init pipeline of a server as one launch went, or would go, through it.");
  fields.add("pipeline", &InitTrace::pipeline, "Name of the pipeline.");
  fields.add("title", &InitTrace::title, "Of the pipeline, for people.");
  fields
      .add("outcome", &InitTrace::outcome,
           "The id of a signature, 'refused', 'unknown-death', 'no-failure-found' or 'unknown'; until 1.4 "
           "'pass' for 'no-failure-found'.")
      .not_empty();
  fields.add("summary", &InitTrace::summary, "One sentence.");
  fields.add("facts", &InitTrace::facts, "What the conditions were decided with.");
  fields.add("steps", &InitTrace::steps, "In the order in which they ran.");
  fields.add("death", &InitTrace::death, "How it died; null when it did not.");
  fields.add("undecided", &InitTrace::undecided,
             "Conditions that could have changed the outcome and could not be decided.");
  fields.add("counterfactuals", &InitTrace::counterfactuals,
             "Changes of the command that lead to another outcome; the cheapest first.");
  fields.add("scopes", &InitTrace::scopes, "What the outcome rests on.").since_minor(5);
  fields.add("not_checked", &InitTrace::not_checked, "What can fail too and was not looked at.")
      .since_minor(5);
  fields
      .add("launches", &InitTrace::launches,
           "The launches in a log, the earliest first; the trace is about one of them. Empty: no log.")
      .since_minor(5);
}

}  // namespace ringside
