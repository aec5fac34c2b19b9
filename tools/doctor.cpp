#include <memory>

#include "base/errors.hpp"
#include "common_options.hpp"
#include "console.hpp"
#include "outputs.hpp"
#include "run/doctor.hpp"
#include "run/run_document.hpp"
#include "subcommand.hpp"

namespace ringside {
namespace {

FailOnBox parse_fail_on(const std::string& text) {
  if (text == "none") return FailOnBox::none;
  if (text == "error") return FailOnBox::error;
  if (text == "hint") return FailOnBox::hint;
  if (text == "unknown") return FailOnBox::unknown;
  throw UsageError("--fail-on: expected none, error, hint or unknown, not '" + text + "'");
}

class Doctor final : public Subcommand {
 public:
  std::string_view name() const override { return "doctor"; }
  std::string_view synopsis() const override { return "[OPTIONS] [-- COMMAND]"; }
  std::string_view summary() const override {
    return "What is wrong with this box, and which allreduce its servers would take";
  }
  std::string_view details() const override {
    return "Looks at limits, containers, libraries, drivers, GPUs and the ways between them, and says of "
           "each check: "
           "ok, not ok, or not known and why. Predicts, by the rules of NCCL and of a server, which way a "
           "call takes; "
           "nothing of that is tried. Changes nothing, and runs no collective: `ringside probe-comm` "
           "measures. Exit "
           "status 6: a check found an error.";
  }
  std::string_view examples() const override {
    return "  ringside doctor\n"
           "  ringside doctor --for vllm@0.20\n"
           "  ringside doctor -- vllm serve moonshotai/Kimi-K2.5 --tensor-parallel-size 8\n"
           "  ringside doctor --json node-a.json\n"
           "  ringside compare node-a.json node-b.json\n";
  }
  void declare(OptionTable& options) override;
  ExitCode run(const Invocation& invocation) override;

 private:
  DoctorOptions options_;
  CommonOptions common_;
};

void Doctor::declare(OptionTable& options) {
  options.rest("-- COMMAND", "a server's command, which is read and never started: vllm serve ...",
               [this](const std::string& word) { options_.command.push_back(word); });
  options.group("What is looked at");
  options.value(
      "--facts", "FILE",
      "Facts in place of this box: a result of doctor, or lines 'name = value' and 'name ? reason'.",
      [this](const std::string& text) { options_.facts = text; });
  options.value("--host-root", "DIR", "A folder with another box's /proc, /sys and /etc.",
                [this](const std::string& text) { options_.host_root = text; });
  options.value("--nccl-lib", "FILE", "The NCCL library that is asked for its version.",
                [this](const std::string& text) { options_.nccl_library = text; });
  options.group("What is predicted");
  options.value("--for", "SERVER[@VERSION]",
                "Which allreduce a server takes at each message size: vllm@0.20, sglang, ...",
                [this](const std::string& text) { options_.served_by = text; });
  options.group("How it is judged");
  options.value("--fail-on", "WHAT", "Exit status 6 from here on: none, error, hint or unknown [error]",
                [this](const std::string& text) { options_.fail_on = parse_fail_on(text); });
  options.choices({"none", "error", "hint", "unknown"});
  common_.declare_outputs(options);
  common_.declare_display(options);
}

ExitCode Doctor::run(const Invocation& invocation) {
  common_.check();
  options_.check();
  const SteadyClock clock;
  Outputs outputs(clock);
  outputs.open(common_, invocation.environment, options_.inputs());
  Document document = start_document(name(), invocation.argv);
  const ExitCode code = run_doctor(options_, document);
  return say_failures(outputs.write(document), code);
}

}  // namespace

std::unique_ptr<Subcommand> make_doctor() {
  return std::make_unique<Doctor>();
}

}  // namespace ringside
