#include <fmt/format.h>

#include <memory>
#include <optional>

#include "base/errors.hpp"
#include "base/output_file.hpp"
#include "base/text.hpp"
#include "command_tree.hpp"
#include "completion_scripts.hpp"
#include "man_page.hpp"

namespace ringside {
namespace {

struct Form {
  const char* name;
  std::string (*text)(std::span<const DeclaredCommand>);
};

constexpr Form kForms[] = {
    {"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}, {"man", man_page}};

std::vector<std::string> form_names() {
  std::vector<std::string> names;
  for (const Form& form : kForms) names.emplace_back(form.name);
  return names;
}

const Form& find_form(const std::string& name) {
  for (const Form& form : kForms) {
    if (name == form.name) return form;
  }
  throw UsageError(fmt::format("unknown shell '{}'{}; valid: {}", name, did_you_mean(name, form_names()),
                               join(form_names(), ", ")));
}

class Completion final : public Subcommand {
 public:
  std::string_view name() const override { return "completion"; }
  std::string_view synopsis() const override { return "SHELL"; }
  std::string_view summary() const override {
    return "Completion for a shell, or the manual page, on stdout";
  }
  std::string_view details() const override {
    return "Writes what makes a shell complete ringside's commands, options and the values that are known by "
           "name; or, for man, the manual page. cmake --install puts all of them where they belong.";
  }
  std::string_view examples() const override {
    return "  source <(ringside completion bash)\n"
           "  ringside completion zsh > ~/.zfunc/_ringside\n"
           "  ringside completion fish > ~/.config/fish/completions/ringside.fish\n"
           "  ringside completion man | man -l -\n";
  }
  void declare(OptionTable& options) override {
    options.argument("SHELL", "bash, zsh, fish or man", [this](const std::string& text) { shell_ = text; });
    options.choices(form_names());
  }
  ExitCode run(const Invocation&) override {
    if (!shell_) throw UsageError("which shell? ringside completion " + join(form_names(), "|"));
    write_stdout(find_form(*shell_).text(declared_commands()));
    return ExitCode::ok;
  }

 private:
  std::optional<std::string> shell_;
};

}  // namespace

std::unique_ptr<Subcommand> make_completion() {
  return std::make_unique<Completion>();
}

}  // namespace ringside
