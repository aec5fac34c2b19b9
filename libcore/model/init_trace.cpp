#include "model/init_trace.hpp"

#include "model/enum_names.hpp"

namespace ringside {

template <>
struct EnumNames<StepResult> {
  static constexpr const char* what = "step result";
  static constexpr std::array<std::string_view, 4> names = {"ran", "skipped", "undecided", "died"};
};

template <>
struct EnumNames<StepMark> {
  static constexpr const char* what = "step mark";
  static constexpr std::array<std::string_view, 4> names = {"none", "should-have-set", "set-to-none", "died"};
};

std::string_view to_string(StepResult result) {
  return name_of(result);
}
std::string_view to_string(StepMark mark) {
  return name_of(mark);
}
StepResult parse_step_result(std::string_view text) {
  return parse_name<StepResult>(text);
}
StepMark parse_step_mark(std::string_view text) {
  return parse_name<StepMark>(text);
}

}  // namespace ringside
