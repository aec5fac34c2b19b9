#include "device/cuda/agree.hpp"

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/text.hpp"

namespace ringside {

void agree(Bootstrap& bootstrap, const std::function<void()>& step) {
  std::string mine;
  try {
    step();
  } catch (const std::exception& error) {
    mine = error.what();
  }
  const std::vector<std::string> all = bootstrap.all_gather(mine);
  std::vector<std::string> reasons;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (!all[rank].empty()) reasons.push_back(fmt::format("rank {}: {}", rank, all[rank]));
  }
  if (!reasons.empty()) throw EnvironmentError(join(reasons, "; "));
}

}  // namespace ringside
