#include "model/json_string.hpp"

#include <array>
#include <optional>

namespace ringside {
namespace {

// Bytes that stand for themselves, one by one: no quotation mark, backslash, control character, or part of a
// longer character.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (std::size_t c = 0x20; c < 0x80; ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}();

unsigned char byte(const char* at) {
  return static_cast<unsigned char>(*at);
}

// Behind the character of several bytes that begins at `at`; null: it is no UTF-8 (too long, a surrogate,
// beyond U+10FFFF, or cut off).
const char* behind_character(const char* at, const char* end) {
  const unsigned char lead = byte(at);
  const int more = lead >= 0xc2 && lead <= 0xdf   ? 1
                   : lead >= 0xe0 && lead <= 0xef ? 2
                   : lead >= 0xf0 && lead <= 0xf4 ? 3
                                                  : 0;
  if (more == 0 || end - at <= more) return nullptr;
  const unsigned char least = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const unsigned char most = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  if (byte(at + 1) < least || byte(at + 1) > most) return nullptr;
  for (int i = 2; i <= more; ++i) {
    if ((byte(at + i) & 0xc0) != 0x80) return nullptr;
  }
  return at + 1 + more;
}

// The four hexadecimal digits at `at`.
std::optional<unsigned> code_unit(const char* at, const char* end) {
  if (end - at < 4) return std::nullopt;
  unsigned code = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = at[i];
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return std::nullopt;
    code = 16 * code + static_cast<unsigned>(digit);
  }
  return code;
}

void append_utf8(std::string& text, unsigned code) {
  const auto add = [&](unsigned bits) { text += static_cast<char>(bits); };
  if (code < 0x80) return add(code);
  if (code < 0x800) {
    add(0xc0 | code >> 6);
    return add(0x80 | (code & 0x3f));
  }
  if (code < 0x10000) {
    add(0xe0 | code >> 12);
  } else {
    add(0xf0 | code >> 18);
    add(0x80 | (code >> 12 & 0x3f));
  }
  add(0x80 | (code >> 6 & 0x3f));
  add(0x80 | (code & 0x3f));
}

// What follows \u, surrogate pairs included; `at` then points behind it.
unsigned escaped_character(const char*& at, const char* end) {
  const char* const start = at - 2;
  const auto high = code_unit(at, end);
  if (!high) throw BadJsonString{start, "expected four hexadecimal digits behind \\u"};
  at += 4;
  if (*high < 0xd800 || *high > 0xdfff) return *high;
  const auto low = end - at >= 2 && at[0] == '\\' && at[1] == 'u' ? code_unit(at + 2, end) : std::nullopt;
  if (*high > 0xdbff || !low || *low < 0xdc00 || *low > 0xdfff)
    throw BadJsonString{start, "half of a surrogate pair stands alone"};
  at += 6;
  return 0x10000 + ((*high - 0xd800) << 10) + (*low - 0xdc00);
}

constexpr std::string_view kEscapes = "\"\\/bfnrt";
constexpr std::string_view kEscaped = "\"\\/\b\f\n\r\t";

JsonNode node_of(const char* start, std::size_t size) {
  return {JsonKind::string, static_cast<std::uint32_t>(size), {.text = start}};
}

// Up to the next quotation mark or backslash, or where the text is wrong.
const char* behind_plain(const char* at, const char* end) {
  for (;;) {
    while (at != end && kPlain[byte(at)]) ++at;
    if (at == end) throw BadJsonString{at, "a string is not ended, found the end of the text"};
    if (*at == '"' || *at == '\\') return at;
    if (byte(at) < 0x20) throw BadJsonString{at, "a control character in a string must be escaped"};
    const char* const behind = behind_character(at, end);
    if (behind == nullptr) throw BadJsonString{at, "a string is not valid UTF-8"};
    at = behind;
  }
}

}  // namespace

JsonNode JsonStrings::read(const char*& at, const char* end) {
  const char* const start = ++at;
  at = behind_plain(at, end);
  if (*at == '\\') return read_escaped(start, at, end);
  return node_of(start, static_cast<std::size_t>(at++ - start));
}

JsonNode JsonStrings::read_escaped(const char* start, const char*& at, const char* end) {
  std::string& text = unescaped_.emplace_back(start, at);
  while (*at == '\\') {
    const char* const escape = at++;
    const std::size_t which = at == end ? std::string_view::npos : kEscapes.find(*at);
    if (which != std::string_view::npos) {
      text += kEscaped[which];
      ++at;
    } else if (at != end && *at == 'u') {
      ++at;
      append_utf8(text, escaped_character(at, end));
    } else {
      throw BadJsonString{escape, "an unknown escape in a string"};
    }
    const char* const plain = at;
    at = behind_plain(at, end);
    text.append(plain, at);
  }
  ++at;
  return node_of(text.data(), text.size());
}

}  // namespace ringside
