#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ringside {

// What NCCL's RAS subsystem says of a job: of each communicator, how many collectives each rank has launched
// (NCCL 2.28 and later, "ncclras -f json"; src/ras/client_support.cc).
struct RasRank {
  int rank = 0;  // in the communicator
  std::string host;
  int pid = -1, cuda_device = -1;
  std::map<std::string, std::int64_t> launched;  // "AllReduce" -> calls
  bool missing = false;                          // it gave no answer, or is known to be dead
  bool dead = false;
  bool aborted = false;
  int async_error = 0;  // ncclResult_t

  std::int64_t total() const;
};

struct RasCommunicator {
  std::string hash;
  int size = 0;
  std::vector<RasRank> ranks;  // ascending; those that are missing too
};

struct RasReport {
  std::string nccl_version;  // may be empty
  std::vector<RasCommunicator> communicators;
};

// Reads the JSON, also behind the lines with which the server answers a client. Throws UsageError that names
// `origin` for anything else.
RasReport read_ras(std::string_view text, const std::string& origin);

// Whether a text looks like such a report, as far as its first bytes show.
bool looks_like_ras(std::string_view text);

// Asks the RAS server of a job ("localhost:28028") for its verbose status as JSON. Throws UsageError for an
// address that is none, EnvironmentError where nobody answers in `timeout`, or answers without JSON.
std::string ask_ras(const std::string& address, std::chrono::seconds timeout);

}  // namespace ringside
