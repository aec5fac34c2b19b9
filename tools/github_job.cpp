#include "github_job.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "base/errors.hpp"
#include "base/fd.hpp"
#include "base/output_file.hpp"
#include "report/render/github.hpp"

namespace ringside {

void write_github_job(const Document& document, const std::string& step_summary) {
  write_all(STDERR_FILENO, github_annotations(document), "stderr");
  if (step_summary.empty()) return;
  const UniqueFd file(::open(step_summary.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666));
  if (!file) throw SystemError(fmt::format("cannot write '{}' (GITHUB_STEP_SUMMARY)", step_summary), errno);
  write_all(file.get(), github_summary(document), step_summary);
}

}  // namespace ringside
