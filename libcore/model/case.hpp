#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "model/enum_names.hpp"
#include "model/field_range.hpp"

namespace ringside {

enum class DeviceKind { host, cuda, model };
enum class Collective {
  allreduce,  // every rank ends with the sum of all messages
  alltoall    // every rank sends a part of its message to each rank
};
enum class Mode { eager, graph };
// What timed calls find in the caches. warm: the input as the call before left it; fresh: a producer on the
// rank writes it before each call and a consumer reads the output behind it; cold: in no cache.
enum class InputState { warm, fresh, cold };
enum class DType { bf16, fp16, fp32 };

template <>
struct EnumNames<DeviceKind> {
  static constexpr std::string_view what = "device";
  static constexpr std::string_view names[] = {"host", "cuda", "model"};
};
template <>
struct EnumNames<Collective> {
  static constexpr std::string_view what = "collective";
  static constexpr std::string_view names[] = {"allreduce", "alltoall"};
};
template <>
struct EnumNames<Mode> {
  static constexpr std::string_view what = "mode";
  static constexpr std::string_view names[] = {"eager", "graph"};
};
template <>
struct EnumNames<InputState> {
  static constexpr std::string_view what = "input";
  static constexpr std::string_view names[] = {"warm", "fresh", "cold"};
};
template <>
struct EnumNames<DType> {
  static constexpr std::string_view what = "dtype";
  static constexpr std::string_view names[] = {"bf16", "fp16", "fp32"};
};

std::string_view to_string(DeviceKind device);
std::string_view to_string(Collective collective);
std::string_view to_string(Mode mode);
std::string_view to_string(InputState input);
std::string_view to_string(DType dtype);

// The value that `text` names; throws UsageError that lists the valid names and the nearest one.
DeviceKind parse_device(std::string_view text);
Collective parse_collective(std::string_view text);
Mode parse_mode(std::string_view text);
InputState parse_input(std::string_view text);
DType parse_dtype(std::string_view text);

std::size_t element_size(DType dtype);  // bytes

// One point of a sweep.
struct Case {
  Collective collective = Collective::allreduce;
  std::string strategy;
  std::string family;
  int entry = 0;
  DeviceKind device = DeviceKind::host;
  Mode mode = Mode::eager;
  Bytes bytes;
  DType dtype = DType::bf16;
  int ranks = 0;
  std::vector<double> load{};

  std::size_t count() const { return bytes.count / element_size(dtype); }  // elements
  bool operator==(const Case&) const = default;
};

template <typename Fields>
void describe(Fields& fields, const Case*) {
  fields.record("params", "The case: one point of the sweep.");
  fields
      .add("load", &Case::load, "alltoall: share of each message that goes to each rank; empty: even.",
           ranges::kShare)
      .since_minor(1);
  fields.add("strategy", &Case::strategy, "Full name, such as 'nccl-ring:ll'.").not_empty();
  fields.add("family", &Case::family, "Of the strategy, such as 'nccl-ring'.").not_empty();
  fields.add("device", &Case::device,
             "host: CPU cores and shared memory; cuda: GPUs; model: a machine that is only described.");
  fields.add("mode", &Case::mode, "eager: calls launched one by one; graph: calls replayed as one graph.");
  fields.add("collective", &Case::collective,
             "What the ranks do together. allreduce: every rank ends with the sum of all messages; alltoall: "
             "every rank sends a part of its message to each rank.");
  fields.add("bytes", &Case::bytes, "Of the message that each rank contributes.", ranges::kMessage);
  fields.add("dtype", &Case::dtype, "Of the elements.");
  fields.add("ranks", &Case::ranks, "Number of ranks.", ranges::kRanks);
  fields.add("entry", &Case::entry, "0, 1, ...: which entry of the same strategy (A/A runs).",
             ranges::kCount);
}

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
