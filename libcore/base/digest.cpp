#include "base/digest.hpp"

#include <fmt/format.h>

namespace ringside {

void Fnv1a::add(std::string_view bytes) {
  for (const char c : bytes) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001b3;
}

std::string Fnv1a::hex() const {
  return fmt::format("{:016x}", hash_);
}

std::string text_digest(std::string_view text) {
  Fnv1a hash;
  hash.add(text);
  return std::string(kDigestName) + hash.hex();
}

}  // namespace ringside
