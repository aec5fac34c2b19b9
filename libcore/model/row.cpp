#include "model/row.hpp"

namespace ringside {

std::string_view to_string(ThresholdOrigin origin) {
  return name_of(origin);
}
std::string_view to_string(Status status) {
  return name_of(status);
}
std::string_view to_string(Origin origin) {
  return name_of(origin);
}

Origin parse_origin(std::string_view text) {
  return parse_name<Origin>(text);
}

}  // namespace ringside
