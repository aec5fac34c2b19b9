#include "model/case.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "base/errors.hpp"
#include "base/text.hpp"

namespace ringside {
namespace {

// The names of an enumeration, in the order of its values.
template <typename Enum>
struct Names;
template <>
struct Names<DeviceKind> {
  static constexpr std::string_view what = "device";
  static constexpr std::array names = {"host", "cuda", "model"};
};
template <>
struct Names<Collective> {
  static constexpr std::string_view what = "collective";
  static constexpr std::array names = {"allreduce"};
};
template <>
struct Names<Mode> {
  static constexpr std::string_view what = "mode";
  static constexpr std::array names = {"eager", "graph"};
};
template <>
struct Names<DType> {
  static constexpr std::string_view what = "dtype";
  static constexpr std::array names = {"bf16", "fp16", "fp32"};
};

template <typename Enum>
std::string_view name_of(Enum value) {
  return Names<Enum>::names[static_cast<std::size_t>(value)];
}

template <typename Enum>
Enum parse(std::string_view text) {
  const std::vector<std::string> names(Names<Enum>::names.begin(), Names<Enum>::names.end());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == text) return static_cast<Enum>(i);
  }
  throw UsageError(fmt::format("unknown {} '{}'{}; valid: {}", Names<Enum>::what, text,
                               did_you_mean(text, names), join(names, ", ")));
}

}  // namespace

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
  return parse<DeviceKind>(text);
}
Collective parse_collective(std::string_view text) {
  return parse<Collective>(text);
}
Mode parse_mode(std::string_view text) {
  return parse<Mode>(text);
}
DType parse_dtype(std::string_view text) {
  return parse<DType>(text);
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
