#include "trace/sglang/source_script.hpp"

#include <fmt/format.h>

#include "base/errors.hpp"

namespace ringside {

namespace {

constexpr std::string_view kReader = "reader/";

// Executing a module's imports needs those before it, so the order is that of use.
constexpr std::string_view kOrder[] = {
    "beside", "syntax",         "formulas",    "functions", "enumerations", "conditions", "flow",
    "owners", "relevance",      "models",      "facts",     "messages",     "metadata",   "callees",
    "steps",  "argument_steps", "close_steps", "pipeline",  "main"};

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

std::string source_script() {
  std::string script =
      "import sys, types\n"
      "def load(name, text):\n"
      "    module = types.ModuleType(name)\n"
      "    sys.modules[name] = module\n"
      "    exec(compile(text, name + '.py', 'exec'), module.__dict__)\n"
      "    return module\n";
  for (const std::string_view name : kOrder)
    script += fmt::format("load({}, {})\n", python_literal(name),
                          python_literal(module_text(std::string(kReader).append(name))));
  return script +
         "import gc\n"
         "gc.disable()\n"
         "sys.setrecursionlimit(4000)\n"
         "sys.modules['main'].main(sys.argv[1], sys.argv[2:])\n";
}

std::string_view live_hook() {
  return module_text("live/sitecustomize");
}

}  // namespace ringside
