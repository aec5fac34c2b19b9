#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "base/output_file.hpp"
#include "outputs.hpp"
#include "report/beside.hpp"
#include "subcommand.hpp"

namespace ringside {
namespace {

constexpr std::size_t kMostBytes = 512u << 20;

class Report final : public Subcommand {
 public:
  std::string_view name() const override { return "report"; }
  std::string_view synopsis() const override { return "[OPTIONS] FILE..."; }
  std::string_view summary() const override {
    return "Saved results again, in any format, also side by side";
  }
  std::string_view details() const override {
    return "Reads what --json wrote (- is stdin), of this or an earlier version, and writes it in any other "
           "format. Several results stand beside one another in the table, in Markdown, CSV and HTML. "
           "Nothing is "
           "measured or judged anew.";
  }
  std::string_view examples() const override {
    return "  ringside report result.json\n"
           "  ringside report result.json --html result.html --junit result.xml\n"
           "  ringside report monday.json tuesday.json --md -\n";
  }
  void declare(OptionTable& options) override {
    options.arguments("FILE", "results in JSON; - is stdin",
                      [this](const std::string& path) { paths_.push_back(path); });
    common_.declare_outputs(options);
    common_.declare_display(options);
  }
  ExitCode run(const Invocation& invocation) override;

 private:
  void check() const;
  std::vector<Document> read() const;

  std::vector<std::string> paths_;
  CommonOptions common_;
};

void Report::check() const {
  common_.check();
  if (paths_.empty()) throw UsageError("nothing to report: give a FILE that --json wrote (- is stdin)");
  if (std::ranges::count(paths_, "-") > 1) throw UsageError("stdin ('-') can be read once");
}

std::vector<Document> Report::read() const {
  std::vector<Document> documents;
  for (const std::string& path : paths_) {
    const std::string name = path == "-" ? "stdin" : path;
    documents.push_back(document_from_json(read_input(path, kMostBytes), name));
  }
  return documents;
}

ExitCode Report::run(const Invocation& invocation) {
  check();
  const std::vector<Document> documents = read();
  const SteadyClock clock;
  Outputs outputs(clock);
  outputs.open(common_, invocation.environment);
  std::vector<std::string> failures;
  if (documents.size() == 1) {
    failures = outputs.write(documents.front());
  } else {
    const std::vector<std::string> names = short_names(paths_);
    std::vector<NamedDocument> named;
    for (std::size_t i = 0; i < documents.size(); ++i) named.push_back({names[i], &documents[i]});
    failures = outputs.write_several(named);
  }
  for (const std::string& failure : failures)
    write_all(STDERR_FILENO, fmt::format("ringside: {}\n", failure), "stderr");
  return failures.empty() ? ExitCode::ok : ExitCode::environment;
}

}  // namespace

std::unique_ptr<Subcommand> make_report() {
  return std::make_unique<Report>();
}

}  // namespace ringside
