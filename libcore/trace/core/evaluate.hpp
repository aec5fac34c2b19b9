#pragma once

#include <string>
#include <vector>

#include "model/init_trace.hpp"
#include "trace/core/pipeline.hpp"
#include "trace/sglang/launch.hpp"

namespace ringside {

// What an evaluation came to, before signatures give it a name.
struct Evaluation {
  std::vector<TraceStep> steps;             // of all workers and ranks; equal ranks merged
  std::optional<TraceDeath> death;          // the first certain one
  std::vector<TraceDeath> possible_deaths;  // of steps that could not be decided, before it
  std::vector<std::string> undecided;       // what would have to be known, one a line
  // The server's own checks of its arguments that could not be evaluated: their places, and why. One that a
  // launch does not come to, because a condition before it is false, is evaluated.
  std::map<std::string, std::string> not_evaluated;
  std::map<std::string, Value> args;  // as they ended up in the server
  bool asked_for_gpu = false;         // a condition hangs on a GPU that is not known
  bool metadata_missing = false;      // the expert-location metadata was set to None
};

// "sm90" and so on: what tests of the hardware say on such a GPU; nothing for a name that is not known.
std::map<std::string, Value> hardware_tests(const std::string& gpu);
std::vector<std::string> known_gpus();

// Runs the pipeline for every rank and worker in the order of its steps, until the first step that fails for
// certain. A value that its flag does not take ends it before the first step. A flag that the version does
// not have is left out, and ends a launch in which nothing else fails. Throws UsageError for a pipeline
// that makes more than some ten thousand steps.
// Where the GPU is not known and matters, an end that every kind of GPU comes to counts; ends that differ are
// undecided, a line each.
Evaluation evaluate(const Pipeline& pipeline, const Launch& launch);

// The value of a name after the launch's flags are laid over the pipeline's defaults, before any step ran.
Value initial_value(const Pipeline& pipeline, const Launch& launch, const std::string& name);

// `text` with every {name} replaced by the value of the name.
std::string fill_in(const std::string& text, const Lookup& lookup);

}  // namespace ringside
