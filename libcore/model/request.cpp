#include "model/request.hpp"

#include <algorithm>
#include <string>

#include <utility>

#include "base/digest.hpp"

namespace ringside {

InputText input_text(std::string role, std::string origin, const std::string& text, Withheld& withheld,
                     bool keep) {
  // A digest of the secrets, too, would let them be guessed.
  const std::string masked = mask_text(text, withheld);
  InputText input{.role = std::move(role),
                  .origin = std::move(origin),
                  .bytes = {masked.size()},
                  .digest = text_digest(masked),
                  .text = std::nullopt};
  if (keep && input.bytes <= kMostInputText) input.text = masked;
  return input;
}

double slowdown(const SweepRequest& request, const std::string& strategy) {
  for (const std::string& name : {strategy, std::string("all")}) {
    const auto found = std::ranges::find(request.slowdowns, name, &Slowdown::strategy);
    if (found != request.slowdowns.end()) return found->factor;
  }
  return 1;
}

}  // namespace ringside
