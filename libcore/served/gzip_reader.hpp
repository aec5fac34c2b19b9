#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace ringside {

// Unpacks gzip (RFC 1952, RFC 1951), member after member, in constant memory.
class GzipReader {
 public:
  // More packed bytes into the buffer, up to its size; 0 at the end.
  using Source = std::function<std::size_t(char* buffer, std::size_t size)>;
  // Some unpacked bytes, valid during the call.
  using Sink = std::function<void(std::string_view bytes)>;

  GzipReader(Source source, Sink sink);

  // Unpacks all. Gives what is wrong with the packed text, and what came before it has been handed over:
  // "cut off", "damaged"; empty: nothing.
  std::string unpack();

 private:
  struct Codes {
    std::array<std::uint16_t, 16> count{};
    std::array<std::uint16_t, 288> symbol{};
  };

  int byte();
  std::uint32_t bits(int count);
  int decode(const Codes& codes);
  static bool build(Codes& codes, const std::uint8_t* lengths, int size);
  void put(std::uint8_t value);
  void flush();
  void header();
  void member();
  void stored();
  void read_codes(Codes& literals, Codes& distances);
  void fixed_codes(Codes& literals, Codes& distances);
  void compressed(const Codes& literals, const Codes& distances);

  Source source_;
  Sink sink_;
  std::string input_;
  std::size_t at_ = 0, filled_ = 0;
  std::uint32_t bit_buffer_ = 0;
  int bit_count_ = 0;
  std::string window_;         // the last 32 KiB, and what was not handed over yet
  std::uint64_t written_ = 0;  // of this member
  std::size_t flushed_ = 0;    // in the window
  std::uint32_t checksum_ = 0;
};

}  // namespace ringside
