#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <cstdlib>
#include <filesystem>

#include "base/environment.hpp"
#include "base/run_to_end.hpp"
#include "base/text.hpp"
#include "doctor/collect.hpp"
#include "machine/versions.hpp"

extern char** environ;

namespace ringside {
namespace {

// Prints the folders that this Python imports from, then the packages that bring a libnccl, by name and
// version.
constexpr const char* kAskPython =
    "import sys, importlib.metadata as m\n"
    "print('\\n'.join(p for p in sys.path if p))\n"
    "print('--')\n"
    "for d in m.distributions():\n"
    "    n = (d.metadata['Name'] or '').lower().replace('_', '-')\n"
    "    if n.startswith('nvidia-nccl') or n in ('torch', 'vllm', 'sglang', 'flashinfer-python'):\n"
    "        print(n, d.version)\n";

void add_library(BoxFacts& facts, int& count, const std::string& path, const std::string& origin) {
  const std::string prefix = fmt::format("lib.nccl.{}.", count++);
  facts.set(prefix + "path", path);
  facts.set(prefix + "origin", origin);
}

void add_python(BoxFacts& facts, int& libraries) {
  const ChildResult python =
      run_to_end({.argv = {"python3", "-c", kAskPython}}, {}, {.timeout = std::chrono::seconds(5)});
  if (!python.ok()) {
    facts.not_known("python.folders", "python3 " + describe(python));
    return;
  }
  bool packages = false;
  std::vector<std::string> folders;
  for (const std::string& line : split(trim(python.output), '\n')) {
    if (line == "--") {
      packages = true;
    } else if (packages) {
      const std::size_t space = line.find(' ');
      if (space != std::string::npos) facts.set("python." + line.substr(0, space), line.substr(space + 1));
    } else {
      folders.push_back(line);
      const std::string path = line + "/nvidia/nccl/lib/libnccl.so.2";
      std::error_code error;
      if (std::filesystem::exists(path, error)) add_library(facts, libraries, path, "Python package");
    }
  }
  facts.set("python.folders", join(folders, ":"));
}

// Where the loader takes a library from, without keeping it: its path, or the reason why not.
void add_loaded(BoxFacts& facts, const std::string& name, const char* library) {
  void* const handle = ::dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* const problem = ::dlerror();
    return facts.not_known(name, problem == nullptr ? std::string(library) + " can't be opened" : problem);
  }
  link_map* map = nullptr;
  if (::dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&map)) == 0 && map != nullptr) {
    std::error_code error;
    const std::filesystem::path real = std::filesystem::canonical(map->l_name, error);
    facts.set(name, error ? std::string(map->l_name) : real.string());
  }
  ::dlclose(handle);
}

}  // namespace

void collect_libraries(BoxFacts& facts) {
  facts.set("environment.read", true);
  Withheld withheld;
  for (const auto& [name, value] : recorded_environment(environ, withheld)) facts.set("env." + name, value);
  for (const char* name : {"LD_LIBRARY_PATH", "LD_PRELOAD"}) {
    if (const char* const value = std::getenv(name)) facts.set(std::string("env.") + name, value);
  }
  int libraries = 0;
  for (const std::string& folder : split(facts.text_or("env.LD_LIBRARY_PATH", ""), ':')) {
    const std::string path = folder + "/libnccl.so.2";
    std::error_code error;
    if (!folder.empty() && std::filesystem::exists(path, error))
      add_library(facts, libraries, path, "LD_LIBRARY_PATH");
  }
  add_python(facts, libraries);
  add_loaded(facts, "lib.nccl.system", "libnccl.so.2");
  facts.set("lib.nccl.count", static_cast<double>(libraries));
  add_loaded(facts, "lib.cuda", "libcuda.so.1");
}

}  // namespace ringside
