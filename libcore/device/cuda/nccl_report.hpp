#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.hpp"

namespace ringside {

// What NCCL says it ran.
struct NcclRan {
  std::string what;               // "RING/LL"; "SYMMETRIC/AGxLL_R" for a kernel on symmetric memory
  std::optional<int> channels{};  // how many; nothing where the report names none
  bool operator==(const NcclRan&) const = default;
};

// The last allreduce that a text of NCCL's tuning report (NCCL_DEBUG=INFO, NCCL_DEBUG_SUBSYS=TUNING) tells
// of.
std::optional<NcclRan> parse_nccl_report(std::string_view text);

// Makes NCCL write its tuning report into memory of this process. To be made before NCCL is opened, in a
// process of which nothing is timed: each call is reported, and NCCL reads these variables once. A
// NCCL_DEBUG_FILE of the user's is replaced.
class NcclReport {
 public:
  NcclReport();  // throws SystemError

  // What has been written since the last take().
  std::string take();

 private:
  UniqueFd file_;
  std::size_t taken_ = 0;
};

}  // namespace ringside
