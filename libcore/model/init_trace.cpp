#include "model/init_trace.hpp"

namespace ringside {

std::string_view to_string(StepResult result) {
  return name_of(result);
}
std::string_view to_string(StepMark mark) {
  return name_of(mark);
}

}  // namespace ringside
