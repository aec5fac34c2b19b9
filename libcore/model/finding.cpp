#include "model/finding.hpp"

#include "model/enum_names.hpp"

namespace ringside {

template <>
struct EnumNames<Severity> {
  static constexpr std::string_view what = "severity";
  static constexpr std::array names = {"note", "warning", "error"};
};

std::string_view to_string(Severity severity) {
  return name_of(severity);
}
Severity parse_severity(std::string_view text) {
  return parse_name<Severity>(text);
}

}  // namespace ringside
