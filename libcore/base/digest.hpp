#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ringside {

// FNV-1a of 64 bits, of bytes as they come. It names what a file holds; it is no protection against a forger.
class Fnv1a {
 public:
  void add(std::string_view bytes);
  std::string hex() const;  // 16 digits

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

inline constexpr std::string_view kDigestName = "fnv1a:";

// "fnv1a:0123456789abcdef"
std::string text_digest(std::string_view text);

}  // namespace ringside
