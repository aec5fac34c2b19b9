#include "run/fit_machine.hpp"

#include <fmt/format.h>

#include "base/errors.hpp"
#include "run/read_documents.hpp"

namespace ringside {

FittedMachine fit_machine(const std::string& result) {
  const Document document = read_document(result);
  if (!document.complete) throw UsageError(result + ": it is incomplete, and no machine can be fitted to it");
  try {
    FittedMachine machine{.fits = fit_costs(document), .profile = ""};
    machine.profile = profile_text(document, machine.fits, result);
    return machine;
  } catch (const UsageError& problem) {
    throw UsageError(fmt::format("{}: {}", result, problem.what()));
  }
}

}  // namespace ringside
