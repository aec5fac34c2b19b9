#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "device/rank_device.hpp"
#include "measure/verify/check.hpp"
#include "measure/verify/proven_outputs.hpp"
#include "strategy/strategy.hpp"

namespace ringside {

// How much of a case is verified. The time grows with the calls, and on each rank with the number of ranks,
// whose data it computes: large messages want few calls.
struct VerifyPlan {
  std::uint64_t seed = 0;
  int launch = 0;            // other data in each launch
  int calls_exact = 8;       // back-to-back calls with set A; 0: none of that set
  int calls_full_range = 2;  // with set B
  int replays = 2;           // of each workload, each with fresh data
  bool brief = false;        // the back-to-back calls of set A alone
  int threads = 1;           // of this rank, for making and comparing data
};

// Blocks of this rank's arena, each of the message's size and at the same offsets on every rank. Their
// content is lost.
struct VerifyBuffers {
  std::span<std::byte* const> golden;   // inputs of different calls, of which calls are fed; two at least
  std::byte* input = nullptr;           // what the collective reads
  std::span<std::byte* const> outputs;  // one at least; with fewer than calls, only the last ones are checked
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

// Ordinary memory (RankDevice::staging) for the data of a case that go to a rank's arena and come back.
// Nothing else beside the arena grows with the message.
Bytes staging_need(const Case& params);

// Runs the case in its mode, as the timed calls run, and checks what comes out: a single call, back-to-back
// calls without any synchronisation between them, and a call in place. Before each call its input is copied
// over that of the call before, so that a peer that still reads it gets the wrong data; outputs are poisoned
// first. Collective: every rank makes the same calls whatever it finds. `proven` is asked and added to.
VerifyReply verify_case(RankDevice& device, PreparedCollective& collective, const Case& params,
                        const Numerics& numerics, const VerifyPlan& plan, const VerifyBuffers& buffers,
                        ProvenOutputs& proven);

}  // namespace ringside
