#include "trace/sglang/source_script.hpp"

#include <fmt/format.h>

#include "base/errors.hpp"

namespace ringside {

namespace {

// Executing a module's imports needs those before it, so the order is that of use.
constexpr std::string_view kOrder[] = {
    "reader/beside",       "reader/syntax",     "reader/formulas", "reader/functions",
    "reader/enumerations", "reader/conditions", "reader/flow",     "reader/owners",
    "reader/relevance",    "reader/models",     "reader/facts",    "reader/messages",
    "reader/metadata",     "reader/callees",    "reader/steps",    "reader/argument_steps",
    "reader/close_steps",  "reader/pipeline",   "reader/main"};
constexpr std::string_view kVllmOrder[] = {"vllm/vllm_models", "vllm/vllm_facts", "vllm/vllm_main"};

std::string python_literal(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    if (c == '\n')
      literal += "\\n";
    else
      literal += c;
  }
  return literal + '"';
}

std::string_view module_text(std::string_view name) {
  for (const EmbeddedModule& module : embedded_python())
    if (module.name == name) return module.text;
  throw InternalError(fmt::format("the embedded Python module {} is missing", name));
}

}  // namespace

std::string source_script(std::string_view server) {
  const bool vllm = server == "vllm";
  std::string script =
      "import sys, types\n"
      "def load(name, text):\n"
      "    module = types.ModuleType(name)\n"
      "    sys.modules[name] = module\n"
      "    exec(compile(text, name + '.py', 'exec'), module.__dict__)\n"
      "    return module\n";
  const auto load = [&script](std::string_view name) {
    script += fmt::format("load({}, {})\n", python_literal(name.substr(name.find('/') + 1)),
                          python_literal(module_text(name)));
  };
  for (const std::string_view name : kOrder) load(name);
  if (vllm)
    for (const std::string_view name : kVllmOrder) load(name);
  return script +
         "import gc\n"
         "gc.disable()\n"
         "sys.setrecursionlimit(4000)\n"
         "sys.modules['" +
         (vllm ? "vllm_main" : "main") + "'].main(sys.argv[1], sys.argv[2:])\n";
}

std::string_view live_hook() {
  return module_text("live/sitecustomize");
}

}  // namespace ringside
