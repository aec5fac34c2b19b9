#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "device/arena.hpp"
#include "protocol/requests.hpp"
#include "strategy/strategy.hpp"

namespace ringside {

// The memory of a group of cases on each rank. A session allocates by these functions, and a plan runs them
// on a counting arena: there is no other calculation of what a group needs.

// How much longer than a message the block is from which checked calls are fed (KnownData), in bytes.
inline constexpr std::size_t kInputSlack = std::size_t{16} << 10;

// Memory before and behind a case's input and output that nothing may write, in bytes.
inline constexpr std::size_t kRedZone = 4096;
inline constexpr std::size_t kRedZones = 4;

// How many buffers verification gets for a message of this size: bounded memory, at least two.
std::size_t verification_pool(Bytes message);

// The group of which `params` is a case, with all that verification needs.
BeginGroup whole_group(const Case& params, std::size_t cold_inputs, std::uint64_t seed = 0);

// Blocks that the cases of a group share.
struct GroupBuffers {
  std::byte* known = nullptr;       // of KnownData
  std::vector<std::byte*> golden;   // verification's inputs, kInputSlack longer than a message
  std::vector<std::byte*> outputs;  // verification's outputs
  std::vector<std::byte*> cold;     // inputs that timed calls read in turn; empty: each case its own
};
GroupBuffers allocate_group(Arena& arena, const BeginGroup& group);

// Blocks of one case, beside what its strategy allocates.
struct CaseBuffers {
  std::byte* input = nullptr;
  std::byte* output = nullptr;
  std::array<std::byte*, kRedZones> red_zones{};  // around the input and the output, kRedZone bytes each
};
CaseBuffers allocate_case(Arena& arena, const Case& params);

// A case of a group, in the order in which they are prepared.
struct GroupMember {
  const Strategy* strategy = nullptr;
  const Case* params = nullptr;
};

// The most that a rank's arena holds from the group's begin to its end, in this order of its cases or in the
// opposite one: launches take turns. A group without some of the cases, as after a failure, needs no more.
Bytes arena_need(const BeginGroup& group, const std::vector<GroupMember>& members);

// Ordinary memory (RankDevice::staging) for the data of a case that go to a rank's arena and come back, and
// for KnownData.
// Nothing else beside the arena grows with the message.
Bytes staging_need(const Case& params);

}  // namespace ringside
