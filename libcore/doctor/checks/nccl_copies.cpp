#include <fmt/format.h>

#include "base/text.hpp"
#include "base/units.hpp"
#include "doctor/check.hpp"

namespace ringside {
namespace {

CheckOutcomes judge(const BoxFacts& facts) {
  const int count = facts.count("lib.nccl.count");
  const auto python = facts.text("python.folders");
  if (count == 0 && !python) return {check_unknown(facts.why("python.folders"))};
  std::vector<std::string> evidence;
  std::string first;
  bool search_path = false;
  for (int i = 0; i < count; ++i) {
    const std::string prefix = fmt::format("lib.nccl.{}.", i);
    const std::string path = facts.text_or(prefix + "path", "?");
    const std::string origin = facts.text_or(prefix + "origin", "?");
    if (i == 0) first = path;
    search_path = search_path || origin == "LD_LIBRARY_PATH";
    evidence.push_back(fmt::format("{} ({})", path, origin));
  }
  if (const auto preload = facts.text("env.LD_PRELOAD");
      preload && preload->find("nccl") != std::string::npos)
    evidence.push_back("LD_PRELOAD=" + *preload);
  const auto cu12 = facts.text("python.nvidia-nccl-cu12");
  const auto cu13 = facts.text("python.nvidia-nccl-cu13");
  if (cu12 && cu13) {
    return {
        check_error(fmt::format("two packages bring libnccl to the same folder: nvidia-nccl-cu12 {} and "
                                "nvidia-nccl-cu13 {}; the one that was installed last is loaded",
                                *cu12, *cu13),
                    "pip uninstall the one that torch was not built for, then pip install --force-reinstall "
                    "the other",
                    evidence)};
  }
  if (count > 1) {
    return {check_hint(fmt::format("{} copies of libnccl.so.2 can be found; {}", count,
                                   search_path ? "LD_LIBRARY_PATH comes before the package of torch"
                                               : "which one a server loads depends on its order of folders"),
                       search_path ? "unset LD_LIBRARY_PATH, or take NCCL's folder out of it"
                                   : "keep one package of NCCL in the environment of the server",
                       evidence)};
  }
  if (count == 1) return {check_ok("one libnccl.so.2 can be found: " + first)};
  if (const auto system = facts.text("lib.nccl.system")) return {check_ok("the system's NCCL: " + *system)};
  return {check_unknown("no libnccl.so.2 was found here, neither by python3 nor by the loader")};
}

const RegisterCheck registered{{.name = "nccl-copies",
                                .title = "which NCCL would a Python server load, and is it the only one",
                                .need = "python3",
                                .cost = "0.1 s",
                                .severity = Severity::error,
                                .source = "pytorch#186591, pytorch#176829, vllm#4195",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
