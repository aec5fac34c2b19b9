#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/environment.hpp"
#include "base/output_file.hpp"
#include "common_options.hpp"
#include "model/document.hpp"
#include "report/writer.hpp"

namespace ringside {

// Throws UsageError where writing to `file` would change one of the files that are read ("-": stdin), however
// they are named. `output`: for the message, "-o FILE".
void refuse_inputs(const std::string& output, const OutputFile& file, std::span<const std::string> inputs);

// Where a Document goes, each place in its own format.
class Outputs {
 public:
  explicit Outputs(const Clock& clock) : clock_(clock) {}

  // Throws UsageError when `path` ("-": stdout) can't be written, or is where another output goes.
  void add(const Writer& writer, const std::string& path, const RenderOptions& options = {});

  // What the options name; the table on stdout unless something else goes there. Throws UsageError also where
  // one of them is a file of `inputs`.
  void open(const CommonOptions& options, const ToolEnvironment& environment,
            std::span<const std::string> inputs = {});

  // Whether something goes to stdout.
  bool takes_stdout() const;

  // Rewrites the regular files, at most once a second. What goes wrong is returned once for each file; it is
  // no reason to end a run, as write() may still succeed.
  std::vector<std::string> checkpoint(const Document& document);

  // The final state, to all of them, whatever goes wrong with one. Returns the failures.
  std::vector<std::string> write(const Document& document);

  // Two or more beside one another. Throws UsageError, before anything is written, where an output's format
  // has room for one only.
  std::vector<std::string> write_several(std::span<const NamedDocument> documents);

 private:
  void check_summary(std::span<const std::string> inputs) const;  // throws UsageError
  struct Output {
    const Writer* writer;
    RenderOptions options;
    OutputFile file;
    bool failed = false;
  };

  using Render = std::function<std::string(const Writer&, const RenderOptions&)>;
  std::vector<std::string> write_all_outputs(const Render& render);
  // Annotations and summary for GitHub Actions, when they were asked for.
  void show_on_github(const Document& document, std::vector<std::string>& failures) const;

  const Clock& clock_;
  std::vector<Output> outputs_;
  std::optional<TimePoint> last_checkpoint_;
  bool github_ = false;
  bool github_asked_ = false;  // not only found: what goes wrong then fails nothing
  std::vector<std::string> silenced_;
  bool quiet_ = false;
  std::string github_step_summary_;
};

// Says each of them on stderr, a line each: `code`, and that of an output that can't be written.
ExitCode say_failures(const std::vector<std::string>& failures, ExitCode code);

}  // namespace ringside
