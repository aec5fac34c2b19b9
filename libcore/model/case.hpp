#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"

namespace ringside {

enum class DeviceKind { host, cuda, model };
enum class Collective {
  allreduce,  // every rank ends with the sum of all messages
  alltoall    // every rank sends a part of its message to each rank
};
enum class Mode { eager, graph };
enum class DType { bf16, fp16, fp32 };

std::string_view to_string(DeviceKind device);
std::string_view to_string(Collective collective);
std::string_view to_string(Mode mode);
std::string_view to_string(DType dtype);

// The value that `text` names; throws UsageError that lists the valid names and the nearest one.
DeviceKind parse_device(std::string_view text);
Collective parse_collective(std::string_view text);
Mode parse_mode(std::string_view text);
DType parse_dtype(std::string_view text);

std::size_t element_size(DType dtype);  // bytes

// One point of a sweep.
struct Case {
  Collective collective = Collective::allreduce;
  std::string strategy;  // full name, e.g. "nccl-ring:ll"
  std::string family;    // e.g. "nccl-ring"
  int entry = 0;         // 0, 1, ...: the how-manieth entry of the same strategy (A/A runs)
  DeviceKind device = DeviceKind::host;
  Mode mode = Mode::eager;
  Bytes bytes;  // of the message each rank contributes
  DType dtype = DType::bf16;
  int ranks = 0;
  std::vector<double> load{};  // alltoall: share of each message that goes to each rank; empty: even

  std::size_t count() const { return bytes.count / element_size(dtype); }  // elements
  bool operator==(const Case&) const = default;
};

// How an all-to-all cuts a message of the case: the element at which the part for each rank begins, and
// behind the last one the number of elements. The same on all ranks.
std::vector<std::size_t> part_borders(const Case& params);

// What a rank may receive at most: of an allreduce the message's size, of an all-to-all the largest part from
// every rank. An all-to-all puts the parts one behind the other, by sender.
Bytes output_bytes(const Case& params);

// Of each message, what a rank must send at least: 2(n-1)/n for an allreduce, (n-1)/n for an all-to-all. Bus
// bandwidth is algorithm bandwidth times it.
double wire_share(const Case& params);

// "ring" or, for a second entry, "ring#2": how a strategy is named in tables.
std::string entry_name(const Case& params);

// "ring 2K bf16 eager": how a case is named in Findings and messages.
std::string case_name(const Case& params);

}  // namespace ringside
