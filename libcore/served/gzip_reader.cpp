#include "served/gzip_reader.hpp"

#include <algorithm>
#include <utility>

namespace ringside {

namespace {

constexpr std::size_t kWindow = std::size_t{32} << 10;
constexpr std::size_t kHandedOver = std::size_t{256} << 10;  // bytes at a time
constexpr std::size_t kInput = std::size_t{64} << 10;
constexpr int kMaxBits = 15;

// Ends unpack(); never leaves this file.
struct Broken {
  const char* how;
};

constexpr std::array<std::uint32_t, 256> crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = value & 1 ? 0xEDB88320u ^ value >> 1 : value >> 1;
    table[i] = value;
  }
  return table;
}

std::uint32_t crc(std::uint32_t value, std::string_view bytes) {
  static constexpr std::array<std::uint32_t, 256> kTable = crc_table();
  value = ~value;
  for (const char c : bytes) value = kTable[(value ^ static_cast<unsigned char>(c)) & 0xFF] ^ value >> 8;
  return ~value;
}

}  // namespace

GzipReader::GzipReader(Source source, Sink sink)
    : source_(std::move(source)), sink_(std::move(sink)), input_(kInput, '\0') {}

std::string GzipReader::unpack() {
  try {
    for (bool first = true;; first = false) {
      int next = byte();
      while (!first && next == 0) next = byte();  // padding behind the last member
      if (next < 0) return first ? "cut off" : "";
      if (next != 0x1F || byte() != 0x8B) {
        if (!first) return "";  // what is no member behind the last one is left alone, as by gzip itself
        throw Broken{"damaged"};
      }
      header();
      member();
    }
  } catch (const Broken& broken) {
    flush();
    return broken.how;
  }
}

// The next packed byte; -1: none.
int GzipReader::byte() {
  if (at_ == filled_) {
    filled_ = source_(input_.data(), input_.size());
    at_ = 0;
    if (filled_ == 0) return -1;
  }
  return static_cast<unsigned char>(input_[at_++]);
}

std::uint32_t GzipReader::bits(int count) {
  while (bit_count_ < count) {
    const int next = byte();
    if (next < 0) throw Broken{"cut off"};
    bit_buffer_ |= static_cast<std::uint32_t>(next) << bit_count_;
    bit_count_ += 8;
  }
  const std::uint32_t value = bit_buffer_ & ((std::uint32_t{1} << count) - 1);
  bit_buffer_ >>= count;
  bit_count_ -= count;
  return value;
}

void GzipReader::header() {
  const auto next = [this] {
    const int value = byte();
    if (value < 0) throw Broken{"cut off"};
    return value;
  };
  if (next() != 8) throw Broken{"damaged"};
  const int flags = next();
  for (int i = 0; i < 6; ++i) next();  // time, level, system
  if (flags & 4) {
    const int low = next();
    for (int left = low + 256 * next(); left > 0; --left) next();
  }
  for (const int text : {8, 16})  // name, comment
    if (flags & text)
      while (next() != 0) {
      }
  if (flags & 2) next(), next();
}

void GzipReader::member() {
  window_.clear();
  flushed_ = 0;
  written_ = 0;
  checksum_ = 0;
  bit_buffer_ = 0;
  bit_count_ = 0;
  for (bool last = false; !last;) {
    last = bits(1) != 0;
    Codes literals, distances;
    switch (bits(2)) {
      case 0:
        stored();
        break;
      case 1:
        fixed_codes(literals, distances);
        compressed(literals, distances);
        break;
      case 2:
        read_codes(literals, distances);
        compressed(literals, distances);
        break;
      default:
        throw Broken{"damaged"};
    }
  }
  flush();
  bits(bit_count_ % 8);
  const std::uint32_t low = bits(16), checksum = low | bits(16) << 16;
  const std::uint32_t size = bits(16), length = size | bits(16) << 16;
  if (checksum != checksum_ || length != static_cast<std::uint32_t>(written_)) throw Broken{"damaged"};
}

void GzipReader::put(std::uint8_t value) {
  window_ += static_cast<char>(value);
  ++written_;
  if (window_.size() - flushed_ >= kHandedOver) flush();
}

void GzipReader::flush() {
  const std::string_view fresh = std::string_view(window_).substr(flushed_);
  if (fresh.empty()) return;
  checksum_ = crc(checksum_, fresh);
  sink_(fresh);
  if (window_.size() > kWindow) window_.erase(0, window_.size() - kWindow);
  flushed_ = window_.size();
}

void GzipReader::stored() {
  bits(bit_count_ % 8);
  const std::uint32_t size = bits(16);
  if ((bits(16) ^ 0xFFFF) != size) throw Broken{"damaged"};
  for (std::uint32_t i = 0; i < size; ++i) put(static_cast<std::uint8_t>(bits(8)));
}

// Canonical codes from their lengths; false where they overlap.
bool GzipReader::build(Codes& codes, const std::uint8_t* lengths, int size) {
  codes.count.fill(0);
  for (int i = 0; i < size; ++i) ++codes.count[lengths[i]];
  int left = 1;
  for (int length = 1; length <= kMaxBits; ++length) {
    left = 2 * left - codes.count[static_cast<std::size_t>(length)];
    if (left < 0) return false;
  }
  std::array<std::uint16_t, 16> next{};
  for (std::size_t length = 1; length < 15; ++length)
    next[length + 1] = static_cast<std::uint16_t>(next[length] + codes.count[length]);
  for (int i = 0; i < size; ++i)
    if (lengths[i] != 0) codes.symbol[next[lengths[i]]++] = static_cast<std::uint16_t>(i);
  return true;
}

int GzipReader::decode(const Codes& codes) {
  int code = 0, first = 0, index = 0;
  for (std::size_t length = 1; length <= kMaxBits; ++length) {
    code |= static_cast<int>(bits(1));
    const int count = codes.count[length];
    if (code - count < first) return codes.symbol[static_cast<std::size_t>(index + (code - first))];
    index += count;
    first = (first + count) << 1;
    code <<= 1;
  }
  throw Broken{"damaged"};
}

void GzipReader::fixed_codes(Codes& literals, Codes& distances) {
  std::array<std::uint8_t, 288> lengths{};
  for (std::size_t i = 0; i < lengths.size(); ++i)
    lengths[i] = static_cast<std::uint8_t>(i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8);
  build(literals, lengths.data(), 288);
  std::array<std::uint8_t, 30> same{};
  same.fill(5);
  build(distances, same.data(), 30);
}

void GzipReader::read_codes(Codes& literals, Codes& distances) {
  static constexpr std::array<std::uint8_t, 19> kOrder = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                          11, 4,  12, 3, 13, 2, 14, 1, 15};
  const int literal_count = static_cast<int>(bits(5)) + 257, distance_count = static_cast<int>(bits(5)) + 1;
  const std::uint32_t order_count = bits(4) + 4;
  if (literal_count > 286 || distance_count > 30) throw Broken{"damaged"};
  std::array<std::uint8_t, 320> lengths{};
  for (std::uint32_t i = 0; i < order_count; ++i) lengths[kOrder[i]] = static_cast<std::uint8_t>(bits(3));
  Codes codes;
  if (!build(codes, lengths.data(), 19)) throw Broken{"damaged"};
  lengths.fill(0);
  for (int i = 0; i < literal_count + distance_count;) {
    const int symbol = decode(codes);
    if (symbol < 16) {
      lengths[static_cast<std::size_t>(i++)] = static_cast<std::uint8_t>(symbol);
      continue;
    }
    if (symbol == 16 && i == 0) throw Broken{"damaged"};
    const std::uint8_t same = symbol == 16 ? lengths[static_cast<std::size_t>(i - 1)] : std::uint8_t{0};
    int repeat = 3 + static_cast<int>(symbol == 16 ? bits(2) : symbol == 17 ? bits(3) : 8 + bits(7));
    if (i + repeat > literal_count + distance_count) throw Broken{"damaged"};
    for (; repeat > 0; --repeat) lengths[static_cast<std::size_t>(i++)] = same;
  }
  if (!build(literals, lengths.data(), literal_count) ||
      !build(distances, lengths.data() + literal_count, distance_count))
    throw Broken{"damaged"};
}

void GzipReader::compressed(const Codes& literals, const Codes& distances) {
  static constexpr std::array<std::uint16_t, 29> kLengths = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                                             15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                                             67, 83, 99, 115, 131, 163, 195, 227, 258};
  static constexpr std::array<std::uint8_t, 29> kLengthBits = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                               2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
  static constexpr std::array<std::uint16_t, 30> kDistances = {
      1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
      193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
  while (true) {
    const int symbol = decode(literals);
    if (symbol < 256) {
      put(static_cast<std::uint8_t>(symbol));
      continue;
    }
    if (symbol == 256) return;
    const std::size_t length_code = static_cast<std::size_t>(symbol - 257);
    if (length_code >= kLengths.size()) throw Broken{"damaged"};
    const std::uint32_t length = kLengths[length_code] + bits(kLengthBits[length_code]);
    const std::size_t code = static_cast<std::size_t>(decode(distances));
    if (code >= kDistances.size()) throw Broken{"damaged"};
    const std::uint32_t distance = kDistances[code] + bits(code < 2 ? 0 : static_cast<int>(code) / 2 - 1);
    if (distance > window_.size()) throw Broken{"damaged"};
    for (std::uint32_t i = 0; i < length; ++i)
      put(static_cast<std::uint8_t>(window_[window_.size() - distance]));
  }
}

}  // namespace ringside
