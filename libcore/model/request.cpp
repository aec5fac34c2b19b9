#include "model/request.hpp"

#include <utility>

#include "base/digest.hpp"

namespace ringside {

InputText input_text(std::string role, std::string origin, const std::string& text, bool keep) {
  InputText input{.role = std::move(role),
                  .origin = std::move(origin),
                  .bytes = {text.size()},
                  .digest = text_digest(text),
                  .text = std::nullopt};
  if (keep && input.bytes <= kMostInputText) input.text = text;
  return input;
}

}  // namespace ringside
