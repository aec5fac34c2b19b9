#include "protocol/group_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

#include "device/make_device.hpp"

namespace ringside {
namespace {

Bytes count_in_order(const BeginGroup& group, std::span<const GroupMember> members) {
  const Case& first = *members.front().params;
  Arena arena = Arena::counting(first.ranks);
  allocate_group(arena, group);
  count_limits(first.device, arena, group.message);
  for (const GroupMember& member : members) {
    allocate_case(arena, *member.params);
    member.strategy->allocate(arena, *member.params);
  }
  count_limits(first.device, arena, group.message);  // a floor that seems too high is measured again
  return arena.peak();
}

}  // namespace

std::size_t verification_pool(Bytes message) {
  constexpr std::uint64_t kMemory = 32ull << 20;
  return std::clamp<std::size_t>(kMemory / std::max<std::uint64_t>(message.count, 1), 2, 8);
}

BeginGroup whole_group(const Case& params, std::size_t cold_inputs, std::uint64_t seed) {
  return {params.bytes, output_bytes(params), verification_pool(params.bytes), cold_inputs, seed};
}

GroupBuffers allocate_group(Arena& arena, const BeginGroup& group) {
  GroupBuffers buffers;
  buffers.known = arena.allocate({group.message.count + kInputSlack});
  for (std::size_t i = 0; i < group.pool; ++i) {
    buffers.golden.push_back(arena.allocate({group.message.count + kInputSlack}));
    buffers.outputs.push_back(arena.allocate(group.output));
  }
  for (std::size_t i = 0; i < group.cold_inputs; ++i) buffers.cold.push_back(arena.allocate(group.message));
  return buffers;
}

CaseBuffers allocate_case(Arena& arena, const Case& params) {
  CaseBuffers buffers;
  const std::size_t output = output_bytes(params).count;
  std::byte* const block = arena.allocate({params.bytes.count + 2 * kRedZone}, kEntryAlignment);
  buffers.input = block + kRedZone;
  std::byte* const behind = arena.allocate({output + 2 * kRedZone});
  buffers.output = behind + kRedZone;
  buffers.red_zones = {block, buffers.input + params.bytes.count, behind, buffers.output + output};
  return buffers;
}

Bytes arena_need(const BeginGroup& group, const std::vector<GroupMember>& members) {
  if (members.empty()) return {};
  const std::vector<GroupMember> opposite(members.rbegin(), members.rend());
  return std::max(count_in_order(group, members), count_in_order(group, opposite));
}

Bytes staging_need(const Case& params) {
  return {std::max(params.bytes, output_bytes(params)).count + kInputSlack};
}

}  // namespace ringside
