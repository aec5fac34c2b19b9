#include "device/cuda/nccl/nccl_survey.hpp"

#include "base/text.hpp"
#include "device/cuda/nccl/nccl_library.hpp"
#include "device/cuda/nccl_search.hpp"

#if __has_include(<nccl_device.h>)
#define RINGSIDE_NCCL_DEVICE_API NCCL_VERSION_CODE
#else
#define RINGSIDE_NCCL_DEVICE_API 0
#endif

namespace ringside {

NcclFacts survey_nccl(const std::string& asked) {
  std::vector<std::string> reasons;
  for (const NcclCandidate& candidate : find_nccl(asked)) {
    try {
      const NcclLibrary library(candidate.path);
      NcclFacts facts;
      facts.path = library.path();
      facts.origin = candidate.origin;
      facts.version = library.version();
      facts.missing = library.missing();
      facts.header_version = RINGSIDE_NCCL_DEVICE_API;
      return facts;
    } catch (const EnvironmentError& error) {
      reasons.emplace_back(error.what());
    }
  }
  NcclFacts none;
  none.problem = join(reasons, "; ");
  return none;
}

}  // namespace ringside
