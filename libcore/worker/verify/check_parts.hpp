#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "worker/verify/check.hpp"

namespace ringside {

// Bytes that an all-to-all brings to a rank, or, of an allreduce, the message's.
std::size_t received_bytes(const Case& params, int rank);

// Compares what an all-to-all brought to rank key.rank with the parts of all ranks' inputs: to the bit, as
// nothing is calculated. The text of a mismatch names the sender.
std::optional<Mismatch> check_parts(const InputKey& key, const Case& params,
                                    std::span<const std::byte> output, const CallContext& context);

}  // namespace ringside
