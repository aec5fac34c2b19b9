#include <stdexcept>
#include <string>

#include "gpu/kernel_bench/families.hpp"

namespace ringside::bench {

std::vector<const Family*> find_families(std::string_view list) {
  std::vector<const Family*> found;
  for (const Family& family : families()) {
    const std::string wanted = "," + std::string(family.name) + ",";
    if (list.empty() || ("," + std::string(list) + ",").find(wanted) != std::string::npos)
      found.push_back(&family);
  }
  if (found.empty()) throw std::runtime_error("no family of this name: " + std::string(list));
  return found;
}

}  // namespace ringside::bench
