#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/secrets.hpp"
#include "model/finding.hpp"
#include "trace/core/pipeline.hpp"

namespace ringside {

// The configuration of a model, as far as it is known.
struct LaunchModel {
  std::string name;  // "Kimi-K2.5", or the path it was read from; empty: unknown model
  Value architecture = Unknown{"the model's architecture"};
  std::map<std::string, Value> values;  // keys of config.json, those of text_config on top
  bool complete = false;                // the whole configuration is known: a key that is absent is None
};

// What the server's own argument parser turns down.
struct RefusedArgument {
  std::string message;  // as the parser says it: "unrecognized arguments: --x"
  std::string field;  // of a value that its flag does not take; empty: a flag that the version does not have
  Place place;        // where the flag is declared
};

// How a server is started: what a pipeline is evaluated with.
struct Launch {
  std::map<std::string, Value> args;         // given on the command line, by field; a value may be unknown
  std::map<std::string, Value> environment;  // variables set for the server
  LaunchModel model;
  LaunchModel draft;                      // of --speculative-draft-model-path
  std::map<std::string, Value> hardware;  // "is_sm120_supported" -> True, ...
  std::map<std::string, Value> memory;  // GB: "free_after_weights", "total"; fraction: "mem_fraction_static"
  std::vector<RefusedArgument> refused;
  std::vector<Finding> findings;  // what was odd in the command
  Withheld withheld;              // secrets of a configuration file, and of variables
};

}  // namespace ringside
