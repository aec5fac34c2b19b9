#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ringside {

// What became of a step.
enum class StepResult { ran, skipped, undecided, died };

// Why a step stands out.
enum class StepMark { none, should_have_set, set_to_none, died };

std::string_view to_string(StepResult result);
std::string_view to_string(StepMark mark);

// The value that `text` names; throws UsageError that lists the valid names and the nearest one.
StepResult parse_step_result(std::string_view text);
StepMark parse_step_mark(std::string_view text);

struct TraceStep {
  int depth = 0;       // of calls
  std::string worker;  // "main", "target", "draft"
  std::string ranks;   // "0-7"; empty: the main process
  std::string file;    // with line and function: where it stands
  int line = 0;
  std::string function;
  std::string guard;                                            // empty: always runs
  std::vector<std::pair<std::string, std::string>> decided_by;  // names and values
  std::string effect;                                           // "expert_location_metadata = None"
  StepResult result = StepResult::ran;
  StepMark mark = StepMark::none;
  std::optional<double> time_s;        // since the launch, when live
  std::optional<std::string> process;  // "scheduler TP3 EP3 (pid 4711)", when live
};

struct TraceFrame {
  std::string file;
  int line = 0;
  std::string function;
  std::string source = {};  // the line's text, where a log shows it
};

// The end of a launch that did not come up.
struct TraceDeath {
  std::string error;    // "AssertionError"
  std::string message;  // may be empty
  std::string worker;
  std::string ranks;
  std::string phase;               // "warm-up before the capture of a CUDA graph"; may be empty
  std::vector<TraceFrame> frames;  // outermost first
};

// Changes of the command that lead to another outcome.
struct Counterfactual {
  std::vector<std::string> changes;  // "--moe-a2a-backend none"
  std::string outcome;
  std::string gives_up;
  int cost = 0;  // the smaller the cheaper; only their order means something
};

struct InitTrace {
  std::string pipeline;  // name
  std::string title;     // of the pipeline, for people
  std::string outcome;   // "pass", "unknown", "unknown-death" or the id of a signature
  std::string summary;   // one sentence
  std::vector<std::pair<std::string, std::string>> facts;  // what the conditions were decided with
  std::vector<TraceStep> steps;
  std::optional<TraceDeath> death;
  std::vector<std::string> undecided;  // conditions that could have changed the outcome and are not known
  std::vector<Counterfactual> counterfactuals;
};

}  // namespace ringside
