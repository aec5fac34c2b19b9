#include <fmt/format.h>

#include "base/text.hpp"
#include "base/units.hpp"
#include "doctor/check.hpp"

namespace ringside {
namespace {

CheckOutcomes judge(const BoxFacts& facts) {
  const auto socket = facts.text("tmpdir.socket");
  if (!socket) return {check_unknown(facts.why("tmpdir.socket"))};
  const std::string folder = facts.text_or("tmpdir.path", "/tmp");
  if (*socket == "ok") return {check_ok(fmt::format("a socket can be made in {}", folder))};
  return {
      check_error(fmt::format("no socket can be made in {}: {}", folder, *socket),
                  "export TMPDIR=/tmp, or another short path that can be written (torch's symmetric memory "
                  "binds its sockets there)")};
}

const RegisterCheck registered{{.name = "temporary-folder",
                                .title = "can sockets be made in the folder for temporary files",
                                .need = "",
                                .cost = "none",
                                .severity = Severity::error,
                                .source = "PyTorch CUDASymmetricMemoryUtils.cpp, vllm#36674",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
