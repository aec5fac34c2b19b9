#include "machine/profile.hpp"

#include <array>
#include <cmath>

#include "model/enum_names.hpp"

namespace ringside {

template <>
struct EnumNames<PeerAccess> {
  static constexpr std::string_view what = "peer access";
  static constexpr std::array names = {"nvlink", "pcie", "staged"};
};

std::string_view to_string(PeerAccess access) {
  return name_of(access);
}

PeerAccess parse_peer_access(std::string_view text) {
  return parse_name<PeerAccess>(text);
}

double FittedCost::time_ns(Bytes bytes) const {
  const auto size = static_cast<double>(bytes.count);
  return alpha_ns + beta_ns_per_byte * size + gamma_ns_per_root * std::sqrt(size);
}

}  // namespace ringside
