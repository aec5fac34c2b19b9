#include "model/finding.hpp"

namespace ringside {

std::string_view to_string(Severity severity) {
  return name_of(severity);
}
Severity parse_severity(std::string_view text) {
  return parse_name<Severity>(text);
}

}  // namespace ringside
