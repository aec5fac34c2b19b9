#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/core/condition.hpp"

namespace ringside {

// A line of the server's source.
struct Place {
  std::string file;  // under python/sglang/srt/, e.g. "model_executor/model_runner.py"; empty: not given
  int line = 0;
  std::string function;  // "ModelRunner.initialize"

  std::string text() const { return file + ":" + std::to_string(line); }
};

enum class Worker { main, target, draft };
std::string_view to_string(Worker worker);

enum class EffectKind {
  set,        // `target` becomes the value of `value`
  check,      // dies with `error` when `value` is false
  raise,      // dies with `error`
  call,       // runs the procedure `target`
  forward,    // runs the model once; `text` says what for
  leave,      // leaves the procedure
  warn,       // the server logs `text`
  milestone,  // something worth a line in the trace: `text`
  memory      // the KV pool is sized; dies when nothing is left for it
};

struct Step {
  std::string id;  // may be empty
  Place place;
  Condition guard;
  EffectKind effect = EffectKind::milestone;
  std::string target;
  Condition value;
  std::string error;             // exception type
  std::string text;              // message; {name} stands for the value of a name
  std::optional<Worker> worker;  // of a call or a forward, when it changes
  bool of_arguments =
      false;            // of the server's own checks of its arguments: counted, and no line of the trace
  bool listed = false;  // undecided, it is listed as not evaluated, and the outcome stays
};

struct Procedure {
  std::string name;
  std::vector<Step> steps;
};

// A place in a model's forward that asks for the dispatch table, and the frames that lead to it.
struct DispatchSite {
  Condition guard;
  std::vector<Place> frames;  // outermost first; the last one asks
};

// What a pipeline knows about a model class.
struct ModelClass {
  std::string name;
  Place place;
  Truth hook = Truth::unknown;  // get_model_config_for_expert_location
  std::string hook_at;          // "models/x.py:12", where it (or the inherited one) is defined
  std::string eagle3_at;        // the same of set_eagle3_layers_to_capture; empty: it has none
  bool dynamic = false;         // picks classes at run time: what it reaches is not all known
  bool nextn = false;
  std::vector<std::string> traits;  // further facts: class.trait_X is whether X is one of them
  std::vector<DispatchSite> sites;
};

// An option of the launch command.
struct ServerFlag {
  std::vector<std::string> names;  // "--ep-size", "--ep"
  std::string field;               // "ep_size"
  std::string takes;  // "value", "list", "optional", "true", "false", "switch" (--x, --no-x), "none",
                      // "refused": it is there to say that it is gone
  std::vector<Value> choices;  // empty: anything
  Place place{};               // where it is declared; may be empty
};

struct PipelineProblem {
  std::string file;  // may be empty
  std::string what;
};

// The initialisation of one version of the server, from its arguments to the first forward.
struct Pipeline {
  std::string name;               // "sglang-0.5.9"
  std::string title;              // "SGLang v0.5.9 (bbe9c7eeb, 2026-02-23)"
  std::string version;            // "0.5.9"; may be empty
  std::string server = "sglang";  // whose start it is: the name of a Framework
  std::string origin;             // file or tree that it was read from
  std::string entry;
  std::map<std::string, Procedure> procedures;
  std::map<std::string, ModelClass> classes;
  bool all_classes = true;  // false: only those that were asked for
  std::map<std::string, std::string>
      drafts;  // architecture of a target -> of the draft made from the same model
  std::vector<ServerFlag> flags;
  std::map<std::string, Value> fields;       // defaults of the server's arguments
  std::map<std::string, Value> environment;  // defaults of variables
  std::vector<PipelineProblem> problems;     // what could not be read
  std::string arguments;                     // the server's own checks of them: "read", "lost" (the tree must
                                             // have them, and nothing was found), or empty: not read
  std::vector<std::string> absent;           // checks that the tree was expected to have

  const ModelClass* find_class(const std::string& class_name) const;
};

inline constexpr const char* kDispatchProcedure = "dispatch";  // run by a forward where a site is reached

}  // namespace ringside
