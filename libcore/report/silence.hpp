#pragma once

#include <span>
#include <string>

#include "model/document.hpp"

namespace ringside {

// The Document without the warnings that `silenced` names, each by its id or by its kind, which stands for
// all of that kind. Errors stay: they decide how a command ends.
Document without_warnings(Document document, std::span<const std::string> silenced);

}  // namespace ringside
