#include "model/enum_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/errors.hpp"
#include "base/text.hpp"

namespace ringside {

std::size_t index_of_name(std::string_view text, std::string_view what,
                          const std::vector<std::string_view>& names) {
  const auto found = std::find(names.begin(), names.end(), text);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::vector<std::string> valid(names.begin(), names.end());
  throw UsageError(
      fmt::format("unknown {} '{}'{}; valid: {}", what, text, did_you_mean(text, valid), join(valid, ", ")));
}

}  // namespace ringside
