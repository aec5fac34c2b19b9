#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "served/server_command.hpp"
#include "trace/core/pipeline.hpp"
#include "trace/sglang/launch.hpp"

namespace ringside {

struct SourceRequest {
  std::string directory;                   // a checkout, the folder of the package, or what is in it
  std::vector<std::string> architectures;  // of interest
  bool all_models = false;                 // every architecture of the tree
};

// A model class of a tree, and what its start can die of.
struct ModelLine {
  std::string name;
  std::string at;  // "models/x.py:12"
  std::string text;
};

// What the tracer needs of a server. What a log says is data (scenarios/milestones/, scenarios/signatures/),
// not code: one reader takes the logs of all of them.
class Framework {
 public:
  virtual ~Framework() = default;

  virtual std::string_view name() const = 0;   // "vllm"
  virtual std::string_view title() const = 0;  // "vLLM"

  // The embedded pipeline that is assumed where no version is given; nothing: none is embedded.
  virtual std::optional<std::string> newest_pipeline() const = 0;

  // Flags by which a command's model is found before its version is known.
  virtual Pipeline first_look() const = 0;

  // A command with the flags of a version. Throws UsageError for a configuration file that can't be read.
  virtual Launch read_launch(const ServerCommand& command, const Pipeline& pipeline) const = 0;

  // The start of a source tree, of which nothing is run: a python3 child parses the files that matter. Files
  // that it can't read are problems of the pipeline. Throws UsageError for what is no tree of this server,
  // EnvironmentError when there is no usable python3.
  virtual Pipeline read_source(const SourceRequest& request) const = 0;
  virtual std::string read_source_text(const SourceRequest& request) const = 0;  // as a pipeline file

  // Every class of the pipeline, by name.
  virtual std::vector<ModelLine> models(const Pipeline& pipeline) const = 0;

  // Whether --live has a hook for it.
  virtual bool has_live_hook() const = 0;
};

// All of them, by name.
std::vector<std::string> framework_names();

// Throws UsageError that names the nearest.
const Framework& framework(const std::string& name);

}  // namespace ringside
