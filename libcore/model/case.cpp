#include "model/case.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringside {

std::string_view to_string(DeviceKind device) {
  return name_of(device);
}
std::string_view to_string(Collective collective) {
  return name_of(collective);
}
std::string_view to_string(Mode mode) {
  return name_of(mode);
}
std::string_view to_string(InputState input) {
  return name_of(input);
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
InputState parse_input(std::string_view text) {
  return parse_name<InputState>(text);
}
DType parse_dtype(std::string_view text) {
  return parse_name<DType>(text);
}

std::size_t element_size(DType dtype) {
  return dtype == DType::fp32 ? 4 : 2;
}

std::vector<std::size_t> part_borders(const Case& params) {
  const auto ranks = static_cast<std::size_t>(params.ranks);
  double total = 0;
  for (const double share : params.load) total += share;
  std::vector<std::size_t> borders = {0};
  double before = 0;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    before += params.load.empty() ? 1.0 / params.ranks : params.load[rank] / total;
    const double border = rank + 1 == ranks ? 1 : std::min(before, 1.0);
    const auto at = static_cast<std::size_t>(border * static_cast<double>(params.count()) + 0.5);
    borders.push_back(std::min(std::max(at, borders.back()), params.count()));
  }
  return borders;
}

Bytes output_bytes(const Case& params) {
  if (params.collective == Collective::allreduce) return params.bytes;
  const std::vector<std::size_t> borders = part_borders(params);
  std::size_t most = 0;
  for (std::size_t rank = 0; rank + 1 < borders.size(); ++rank)
    most = std::max(most, borders[rank + 1] - borders[rank]);
  return {most * static_cast<std::size_t>(params.ranks) * element_size(params.dtype)};
}

double wire_share(const Case& params) {
  const double others = static_cast<double>(params.ranks - 1) / params.ranks;
  return params.collective == Collective::allreduce ? 2 * others : others;
}

std::string entry_name(const Case& params) {
  return params.entry == 0 ? params.strategy : fmt::format("{}#{}", params.strategy, params.entry + 1);
}

std::string case_name(const Case& params) {
  return fmt::format("{} {} {} {}", entry_name(params), format_size(params.bytes), to_string(params.dtype),
                     to_string(params.mode));
}

}  // namespace ringside
