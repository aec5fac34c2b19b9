#pragma once

#include <string>
#include <string_view>

namespace ringside {

// `text` as GitHub Markdown shows it unchanged, in a table cell too.
std::string markdown_escaped(std::string_view text);

}  // namespace ringside
