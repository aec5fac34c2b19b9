#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/document.hpp"
#include "served/nccl_ras.hpp"
#include "served/py_spy.hpp"

namespace ringside {

// A rank that holds the others up.
struct Laggard {
  std::string communicator;  // its hash
  int size = 0;              // of the communicator
  RasRank rank;
  std::int64_t most = 0;   // collectives that another rank launched
  std::string collective;  // whose count lags most: "AllReduce"; empty: the rank gave no answer
};

// What a look at a job, or two, show.
struct HangVerdict {
  enum class Kind {
    missing,    // ranks give no answer or are dead
    lags,       // ranks launched fewer collectives than others
    in_flight,  // all launched as many and none finishes: nothing moved between two looks
    moving,     // counts grew between two looks
    unknown,    // one look at equal counts, or no counts at all
  };
  Kind kind = Kind::unknown;
  std::vector<Laggard> laggards;  // those that lag most come first
};

// `later`: a second look at the same job, some seconds after the first; absent: there was one.
HangVerdict judge_hang(const RasReport& first, const std::optional<RasReport>& later);

// Writes into the document who holds the job up, and at which call it stands where a dump shows its process.
void trace_hang(const RasReport& first, const std::optional<RasReport>& later,
                const std::vector<PySpyProcess>& stacks, const std::string& origin, Document& document);

}  // namespace ringside
