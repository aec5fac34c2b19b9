#include "model/case.hpp"

#include <fmt/format.h>

#include "model/enum_names.hpp"

namespace ringside {

template <>
struct EnumNames<DeviceKind> {
  static constexpr std::string_view what = "device";
  static constexpr std::array names = {"host", "cuda", "model"};
};
template <>
struct EnumNames<Collective> {
  static constexpr std::string_view what = "collective";
  static constexpr std::array names = {"allreduce"};
};
template <>
struct EnumNames<Mode> {
  static constexpr std::string_view what = "mode";
  static constexpr std::array names = {"eager", "graph"};
};
template <>
struct EnumNames<DType> {
  static constexpr std::string_view what = "dtype";
  static constexpr std::array names = {"bf16", "fp16", "fp32"};
};

std::string_view to_string(DeviceKind device) {
  return name_of(device);
}
std::string_view to_string(Collective collective) {
  return name_of(collective);
}
std::string_view to_string(Mode mode) {
  return name_of(mode);
}
std::string_view to_string(DType dtype) {
  return name_of(dtype);
}

DeviceKind parse_device(std::string_view text) {
  return parse_name<DeviceKind>(text);
}
Collective parse_collective(std::string_view text) {
  return parse_name<Collective>(text);
}
Mode parse_mode(std::string_view text) {
  return parse_name<Mode>(text);
}
DType parse_dtype(std::string_view text) {
  return parse_name<DType>(text);
}

std::size_t element_size(DType dtype) {
  return dtype == DType::fp32 ? 4 : 2;
}

std::string entry_name(const Case& params) {
  return params.entry == 0 ? params.strategy : fmt::format("{}#{}", params.strategy, params.entry + 1);
}

std::string case_name(const Case& params) {
  return fmt::format("{} {} {} {}", entry_name(params), format_size(params.bytes), to_string(params.dtype),
                     to_string(params.mode));
}

}  // namespace ringside
