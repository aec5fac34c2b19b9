#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/environment.hpp"
#include "base/output_file.hpp"
#include "common_options.hpp"
#include "model/document.hpp"
#include "report/writer.hpp"

namespace ringside {

// Where a Document goes, each place in its own format.
class Outputs {
 public:
  explicit Outputs(const Clock& clock) : clock_(clock) {}

  // Throws UsageError when `path` ("-": stdout) can't be written, or is where another output goes.
  void add(const Writer& writer, const std::string& path, const RenderOptions& options = {});

  // What the options name; the table on stdout unless something else goes there.
  void open(const CommonOptions& options, const ToolEnvironment& environment);

  // Whether something goes to stdout.
  bool takes_stdout() const;

  // Rewrites the regular files, at most once a second. What goes wrong is returned once for each file; it is
  // no reason to end a run, as write() may still succeed.
  std::vector<std::string> checkpoint(const Document& document);

  // The final state, to all of them, whatever goes wrong with one. Returns the failures.
  std::vector<std::string> write(const Document& document);

 private:
  struct Output {
    const Writer* writer;
    RenderOptions options;
    OutputFile file;
    bool failed = false;
  };

  const Clock& clock_;
  std::vector<Output> outputs_;
  std::optional<TimePoint> last_checkpoint_;
};

}  // namespace ringside
