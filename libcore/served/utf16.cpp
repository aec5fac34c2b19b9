#include "served/utf16.hpp"

#include <algorithm>

namespace ringside {

namespace {

constexpr std::size_t kLookedAt = 512;
constexpr std::uint32_t kReplacement = 0xFFFD;

void put(std::uint32_t code, std::string& text) {
  const auto byte = [&](std::uint32_t value) { text += static_cast<char>(value); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | code >> 6);
    byte(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    byte(0xE0 | code >> 12);
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  } else {
    byte(0xF0 | code >> 18);
    byte(0x80 | (code >> 12 & 0x3F));
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  }
}

}  // namespace

Utf16Order utf16_order(std::string_view bytes) {
  if (bytes.starts_with("\xFF\xFE")) return Utf16Order::little;
  if (bytes.starts_with("\xFE\xFF")) return Utf16Order::big;
  const std::string_view seen = bytes.substr(0, kLookedAt);
  std::size_t even = 0, odd = 0;
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (seen[i] == '\0') ++(i % 2 == 0 ? even : odd);
  if (seen.size() < 8) return Utf16Order::none;
  const std::size_t most = seen.size() / 2 - seen.size() / 16;
  if (odd >= most && even < seen.size() / 16) return Utf16Order::little;
  if (even >= most && odd < seen.size() / 16) return Utf16Order::big;
  return Utf16Order::none;
}

std::string Utf16Decoder::to_utf8(std::string_view bytes, Utf16Order order) {
  std::string text;
  text.reserve(bytes.size() / 2 + 4);
  for (const char c : bytes) {
    const int value = static_cast<unsigned char>(c);
    if (half_ < 0) {
      half_ = value;
      continue;
    }
    const int unit = order == Utf16Order::little ? half_ | value << 8 : half_ << 8 | value;
    half_ = -1;
    add(static_cast<std::uint32_t>(unit), text);
  }
  return text;
}

void Utf16Decoder::add(std::uint32_t unit, std::string& text) {
  const bool low = unit >= 0xDC00 && unit < 0xE000;
  if (high_ != 0) {
    const std::uint32_t high = high_;
    high_ = 0;
    if (low) return put(0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00), text);
    put(kReplacement, text);
  }
  if (unit >= 0xD800 && unit < 0xDC00)
    high_ = unit;
  else if (unit != 0xFEFF)
    put(low ? kReplacement : unit, text);
}

}  // namespace ringside
