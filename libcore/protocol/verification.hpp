#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringside {

// How much of a case is verified. The time grows with the calls, and on each rank with the number of ranks,
// whose data it computes: large messages want few calls.
struct VerifyPlan {
  std::uint64_t seed = 0;
  int launch = 0;               // other data in each launch
  int calls_exact = 8;          // back-to-back calls with set A; 0: none of that set
  int calls_full_range = 2;     // with set B
  int replays = 2;              // of each workload, each with fresh data
  bool plain_producer = false;  // fed by copies, not by kernels that write late
  bool brief = false;           // the back-to-back calls of set A alone
  int threads = 1;              // of this rank, for making and comparing data
};

// Calls in a row whose outputs are all checked, by consumers on the device.
struct CallPlan {
  std::uint64_t calls = 0;  // checked, in whole replays
  int calls_per_replay = 122;
  std::uint64_t calls_before = 0;  // that were checked before these, in a row with them
  std::uint64_t unchecked = 0;     // made ahead of these without looking
  bool plain_producer = false;     // fed by copies, not by kernels that write late
};

// The first element that is not what it must be.
struct Mismatch {
  std::uint32_t call = 0;
  int rank = 0;  // on which rank it was seen
  std::size_t element = 0;
  double got = 0;
  double expected = 0;
  double allowed = 0;  // absolute error that would have passed; 0 where the bits must match
  // "call 3, rank 1, element 70: got 12, expected 14, as if the contribution of rank 0 were missing"
  std::string text;
};

// What one rank found.
struct VerifyReply {
  std::uint64_t calls = 0;           // whose output was checked
  std::uint64_t elements = 0;        // that were compared
  std::optional<Mismatch> mismatch;  // the first, if any; nothing is compared after it
  // Of every output, in the same order on every rank: equal where ranks agree to the bit (NaN payloads
  // aside).
  std::vector<std::uint64_t> hashes;
};

// What one rank found in a CallPlan.
struct CallReply {
  std::uint64_t calls = 0;           // checked
  std::optional<std::string> wrong;  // the first fault: "call 40 in a row, rank 1: the output is wrong: ..."
};

}  // namespace ringside
