// What unpacks and decodes a log: any bytes as gzip, as UTF-16 and as lines with prefixes end in constant
// memory.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "served/gzip_reader.hpp"
#include "served/log_text.hpp"
#include "served/utf16.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ringside;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string_view packed = text;
  std::size_t unpacked = 0;
  GzipReader gzip(
      [&](char* buffer, std::size_t room) {
        const std::size_t count = std::min(room, packed.size());
        std::memcpy(buffer, packed.data(), count);
        packed.remove_prefix(count);
        return count;
      },
      [&](std::string_view bytes) { unpacked += bytes.size(); });
  gzip.unpack();
  Utf16Decoder utf16;
  const Utf16Order order = utf16_order(text);
  utf16.to_utf8(text, order == Utf16Order::none ? Utf16Order::little : order);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    for (const LogText& line : read_prefixes(text.substr(at, end - at)))
      if (line.text.size() > 4 * size + 4) __builtin_trap();
    at = end + 1;
  }
  return 0;
}
