#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "base/errors.hpp"
#include "base/output_file.hpp"
#include "base/text.hpp"
#include "outputs.hpp"
#include "report/export/decision.hpp"
#include "report/views/beside.hpp"
#include "run/read_documents.hpp"
#include "subcommand.hpp"

namespace ringside {
namespace {

// What --export names: a form, and for a server "@VERSION".
struct Export {
  const DecisionFormat* form = nullptr;
  std::string version;
};

std::string form_list() {
  std::string text;
  for (const DecisionFormat& form : decision_formats())
    text += fmt::format("\n{}: {}", form.name, form.summary);
  return text;
}

std::vector<std::string> form_names() {
  std::vector<std::string> names;
  for (const DecisionFormat& form : decision_formats()) names.emplace_back(form.name);
  return names;
}

Export find_form(const std::string& text) {
  const std::size_t at = text.find('@');
  const std::string name = text.substr(0, at);
  const std::string version = at == std::string::npos ? "" : text.substr(at + 1);
  std::vector<std::string> names;
  for (const DecisionFormat& form : decision_formats()) {
    names.emplace_back(form.name);
    if (form.name != name) continue;
    if (at != std::string::npos && !form.versioned)
      throw UsageError(fmt::format("{} takes no version", name));
    if (at != std::string::npos && version.empty())
      throw UsageError(fmt::format("no version behind {}@", name));
    return {&form, version};
  }
  throw UsageError(
      fmt::format("unknown form '{}'{}; valid: {}", name, did_you_mean(name, names), join(names, ", ")));
}

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
           "  ringside report monday.json tuesday.json --md -\n"
           "  ringside report sweep.json --export nccl-tuner -o nccl_tuner.conf\n"
           "  ringside report sweep.json --export vllm@0.12.0\n";
  }
  void declare(OptionTable& options) override {
    options.arguments("FILE", "results in JSON; - is stdin",
                      [this](const std::string& path) { paths_.push_back(path); });
    options.group("Decisions");
    options.value("--export", "FORM[@VERSION]", "What the sweep decides, for who can use it: " + form_list(),
                  [this](const std::string& text) { export_ = find_form(text); });
    options.choices(form_names());
    options.value("-o", "FILE", "Where --export writes to [-]",
                  [this](const std::string& path) { export_to_ = path; });
    common_.declare_outputs(options);
    common_.declare_display(options);
    common_.declare_plot(options);
  }
  ExitCode run(const Invocation& invocation) override;

 private:
  void check() const;
  std::string decisions(const Document& document) const;

  std::vector<std::string> paths_;
  std::optional<Export> export_;
  std::optional<std::string> export_to_;
  CommonOptions common_;
};

void Report::check() const {
  common_.check();
  if (paths_.empty()) throw UsageError("nothing to report: give a FILE that --json wrote (- is stdin)");
  if (export_to_ && !export_) throw UsageError("-o FILE belongs to --export FORM");
  if (export_ && (!common_.outputs.empty() || common_.plot || common_.github))
    throw UsageError("--export writes decisions alone; other formats need a report of their own");
  if (export_ && paths_.size() > 1) throw UsageError("--export decides by one result");
  if (std::ranges::count(paths_, "-") > 1) throw UsageError("stdin ('-') can be read once");
}

std::string Report::decisions(const Document& document) const {
  try {
    return export_->form->render(decision_basis(document), export_->version);
  } catch (const UsageError& problem) {
    throw UsageError(fmt::format("{}: {}", paths_.front(), problem.what()));
  }
}

ExitCode Report::run(const Invocation& invocation) {
  check();
  if (export_) {
    OutputFile file(export_to_.value_or("-"));
    refuse_inputs("-o " + file.path(), file, paths_);
    file.write(decisions(read_document(paths_.front())));
    return ExitCode::ok;
  }
  const SteadyClock clock;
  Outputs outputs(clock);
  outputs.open(common_, invocation.environment, paths_);
  const std::vector<Document> documents = read_documents(paths_);
  std::vector<std::string> failures;
  if (documents.size() == 1) {
    failures = outputs.write(documents.front());
  } else {
    const std::vector<std::string> names = short_names(paths_);
    std::vector<NamedDocument> named;
    for (std::size_t i = 0; i < documents.size(); ++i) named.push_back({names[i], &documents[i]});
    failures = outputs.write_several(named);
  }
  return say_failures(failures, ExitCode::ok);
}

}  // namespace

std::unique_ptr<Subcommand> make_report() {
  return std::make_unique<Report>();
}

}  // namespace ringside
