#pragma once

#include <string>
#include <string_view>

namespace ringside {

// `text` for element content and quoted attributes of XML and HTML: what would be markup is escaped, and so
// is what no XML may hold (control characters, bytes that are no UTF-8, U+FFFE and U+FFFF).
std::string markup_escaped(std::string_view text);

}  // namespace ringside
