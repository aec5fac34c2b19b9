#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ringside {

enum class Utf16Order { none, little, big };

// How a text that begins with these bytes is UTF-16: by its byte order mark, or by a NUL byte in nearly every
// second place of the first 512 bytes, as of Latin text; none: it isn't.
Utf16Order utf16_order(std::string_view bytes);

// Turns UTF-16 into UTF-8 as it comes; a byte order mark is left out, a lone surrogate becomes U+FFFD.
class Utf16Decoder {
 public:
  std::string to_utf8(std::string_view bytes, Utf16Order order);

 private:
  void add(std::uint32_t unit, std::string& text);

  int half_ = -1;           // the first byte of a unit that the last piece ended in
  std::uint32_t high_ = 0;  // a surrogate that waits for its second
};

}  // namespace ringside
