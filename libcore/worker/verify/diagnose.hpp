#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "worker/verify/check.hpp"

namespace ringside {

// What a wrong output of set A looks like, as the end of a sentence: ", as if the contribution of rank 0 were
// missing in all 8 wrong elements looked at". Empty when nothing that is known explains it.
// `output`: the whole output; `first_wrong`: its first wrong element.
std::string diagnose_exact(const InputKey& key, int ranks, const CallContext& context,
                           std::span<const std::byte> output, std::size_t first_wrong);

}  // namespace ringside
