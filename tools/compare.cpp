#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "base/large_pages.hpp"
#include "base/parallel.hpp"
#include "common_options.hpp"
#include "console.hpp"
#include "fresh_launches.hpp"
#include "gate/compare.hpp"
#include "gate_options.hpp"
#include "machine/resources.hpp"
#include "outputs.hpp"
#include "run_document.hpp"
#include "subcommand.hpp"

namespace ringside {
namespace {

constexpr std::size_t kMostBytes = 512u << 20;
constexpr int kFewestLaunches = 3;

std::vector<Document> read_documents(const std::vector<std::string>& files) {
  grow_heaps_in_large_steps();
  std::vector<Document> documents(files.size());
  parallel_parts(files.size(), 1, usable_cores(), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      documents[i] = document_from_json(read_input(files[i], kMostBytes), files[i]);
  });
  return documents;
}

class Compare final : public Subcommand {
 public:
  std::string_view name() const override { return "compare"; }
  std::string_view synopsis() const override { return "[OPTIONS] BASE NEW"; }
  std::string_view summary() const override {
    return "Whether a result is slower than an earlier one, with an exit status for CI";
  }
  std::string_view details() const override {
    return "Compares two results of probe-comm case by case, launch medians by an exact rank test, and says "
           "pass, "
           "improve, regress or ambiguous. What looks slower is measured again where this binary made NEW on "
           "this "
           "machine. Exit status 6: a regression. No GPU is needed to read results. How it works and how "
           "often it "
           "errs: docs/compare.md.";
  }
  std::string_view examples() const override {
    return "  ringside compare base.json new.json\n"
           "  ringside compare base.json new.json --new more.json --no-confirm\n"
           "  ringside compare --fail-on ambiguous --json verdict.json base.json new.json\n"
           "  ringside compare --across-machines h100.json h200.json\n";
  }
  void declare(OptionTable& options) override;
  ExitCode run(const Invocation& invocation) override;

 private:
  ExitCode confirm_suspects(Document& result, const ComparisonSide& base, const ComparisonSide& now,
                            const Clock& clock, Console& console) const;

  std::vector<std::string> base_;
  std::vector<std::string> new_;
  bool across_machines_ = false;
  GateOptions gate_;
  CommonOptions common_;
};

void Compare::declare(OptionTable& options) {
  options.argument("BASE", "The earlier result, a file of --json.",
                   [this](const std::string& file) { base_.push_back(file); });
  options.argument("NEW", "The result that is judged.",
                   [this](const std::string& file) { new_.push_back(file); });
  options.group("What is compared");
  options.repeatable("--base", "FILE", "One more file with launches of the base.",
                     [this](const std::string& file) { base_.push_back(file); });
  options.repeatable("--new", "FILE", "One more file with launches of the new side.",
                     [this](const std::string& file) { new_.push_back(file); });
  options.flag("--across-machines", "Report ratios of results from different machines, without judging.",
               across_machines_);
  options.group("How it is judged");
  gate_.declare(options);
  common_.declare_outputs(options);
  common_.declare_display(options);
}

// A second look at what seems slower, where it can be had.
ExitCode Compare::confirm_suspects(Document& result, const ComparisonSide& base, const ComparisonSide& now,
                                   const Clock& clock, Console& console) const {
  const std::vector<std::size_t> rows = suspects(result);
  if (rows.empty()) return ExitCode::ok;
  if (gate_.no_confirm) {
    leave_unconfirmed(result, "not measured again: --no-confirm");
    return ExitCode::ok;
  }
  const FreshLaunches fresh(now.document);
  if (!fresh.obstacle().empty()) {
    leave_unconfirmed(result, "not measured again: " + fresh.obstacle());
    console.note("suspects are not measured again: " + fresh.obstacle());
    return ExitCode::ok;
  }
  std::vector<Case> cases;
  for (const std::size_t row : rows) cases.push_back(result.rows[row].params);
  const int launches =
      std::max(kFewestLaunches, now.document.method ? now.document.method->launches : kFewestLaunches);
  console.note(fmt::format("measuring {} suspects again, {} launches", rows.size(), launches));
  const Document again = fresh.measure(cases, launches, clock, console);
  if (!again.complete) {
    leave_unconfirmed(result, "not measured again: interrupted");
    return ExitCode::interrupted;
  }
  confirm(result, base.document, again, BaseLaunches::seen,
          fmt::format("measured again, {} fresh launches of the new side", again.method->launches));
  return ExitCode::ok;
}

ExitCode Compare::run(const Invocation& invocation) {
  common_.check();
  if (base_.empty() || new_.empty()) throw UsageError("two results are needed: ringside compare BASE NEW");
  const SteadyClock clock;
  Outputs outputs(clock);
  outputs.open(common_, invocation.environment);
  Console console(clock, {common_.quiet, common_.verbose}, invocation.environment);

  std::vector<std::string> files = base_;
  files.insert(files.end(), new_.begin(), new_.end());
  std::vector<Document> documents = read_documents(files);
  const auto middle = documents.begin() + static_cast<std::ptrdiff_t>(base_.size());
  const ComparisonSide base = make_side(
      {std::make_move_iterator(documents.begin()), std::make_move_iterator(middle)}, base_, across_machines_);
  const ComparisonSide now = make_side(
      {std::make_move_iterator(middle), std::make_move_iterator(documents.end())}, new_, across_machines_);
  Document result = compare(base, now, gate_.find(now.document.machine), Sides::apart, across_machines_);
  const Document head = start_document(name(), invocation.argv);
  result.command = head.command;
  result.argv = head.argv;
  result.started = head.started;
  ExitCode code = confirm_suspects(result, base, now, clock, console);
  conclude_comparison(result);
  code = combine(code, gate_exit_code(result, gate_.fail_on));
  for (const std::string& failure : outputs.write(result)) {
    console.error(failure);
    code = combine(code, ExitCode::environment);
  }
  return code;
}

}  // namespace

std::unique_ptr<Subcommand> make_compare() {
  return std::make_unique<Compare>();
}

}  // namespace ringside
