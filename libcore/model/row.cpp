#include "model/row.hpp"

#include "model/enum_names.hpp"

namespace ringside {

template <>
struct EnumNames<Status> {
  static constexpr std::string_view what = "status";
  static constexpr std::array names = {"pass",    "improve", "regress", "ambiguous",
                                       "skipped", "failed",  "timeout"};
};

template <>
struct EnumNames<Origin> {
  static constexpr std::string_view what = "origin";
  static constexpr std::array names = {"measured", "modelled", "reported", "assumed"};
};

template <>
struct EnumNames<ThresholdOrigin> {
  static constexpr std::string_view what = "origin of a threshold";
  static constexpr std::array names = {"least", "calibration", "scatter"};
};

std::string_view to_string(ThresholdOrigin origin) {
  return name_of(origin);
}
std::string_view to_string(Status status) {
  return name_of(status);
}
std::string_view to_string(Origin origin) {
  return name_of(origin);
}

ThresholdOrigin parse_threshold_origin(std::string_view text) {
  return parse_name<ThresholdOrigin>(text);
}
Status parse_status(std::string_view text) {
  return parse_name<Status>(text);
}
Origin parse_origin(std::string_view text) {
  return parse_name<Origin>(text);
}

}  // namespace ringside
