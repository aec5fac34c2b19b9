#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/units.hpp"

namespace ringside {

enum class DeviceKind { host, cuda, model };
enum class Collective { allreduce };
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

  std::size_t count() const { return bytes.count / element_size(dtype); }  // elements
  bool operator==(const Case&) const = default;
};

// "ring" or, for a second entry, "ring#2": how a strategy is named in tables.
std::string entry_name(const Case& params);

// "ring 2K bf16 eager": how a case is named in Findings and messages.
std::string case_name(const Case& params);

}  // namespace ringside
