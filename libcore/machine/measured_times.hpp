#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/case.hpp"
#include "model/document.hpp"

namespace ringside {

// Times of one collective that a file has.
struct MeasuredTimes {
  Collective collective = Collective::allreduce;
  int ranks = 0;                  // 0: not said
  std::string dtype{};            // "bf16", "float"; empty: not said
  std::string strategy{};         // "nccl-auto", "NCCL 2.28.9"; empty: not said
  std::optional<Mode> mode{};     // nothing: not said
  std::string gpu{};              // "NVIDIA H200"; empty: not said
  std::map<double, double> us{};  // bytes of the message that each rank contributes -> microseconds
  std::string source{};           // "box.json, nccl-auto bf16 graph, 2 ranks"
  std::string doubt{};            // what had to be assumed, one sentence; empty: nothing
};

// Reads a result of probe-comm (JSON), the output of nccl-tests, or a CSV of bytes and microseconds, told
// apart by what they begin with. One element for each collective, strategy, mode, element type and number of
// ranks, in the order of the file. Throws UsageError that names `origin`, and the line, for anything else.
std::vector<MeasuredTimes> read_measured_times(const std::string& text, const std::string& origin);

// Of a result of probe-comm: its measured rows that passed. Empty: none.
std::vector<MeasuredTimes> times_of(const Document& document, const std::string& origin);

// Of nccl-tests (all_reduce_perf or alltoall_perf; several runs one behind the other): the time out of place,
// in place where that is all it has. A size that comes again counts with the median. Lines of other programs
// are passed over. Empty: no row. Throws UsageError where the rows are of another collective.
std::vector<MeasuredTimes> read_nccl_tests(const std::string& text, const std::string& origin);

// Columns of bytes and microseconds, separated by commas, semicolons, tabs or blanks; a header may name them
// (bytes or size; us, time_us, ms, ns) and ranks, dtype, collective beside them. Lines that begin with # are
// comments. Throws UsageError with the line.
std::vector<MeasuredTimes> read_times_csv(const std::string& text, const std::string& origin);

// The times that a server's allreduce on `ranks` ranks has most likely: what NCCL chooses by itself, in
// graphs, if the file has that, else the first. Nothing: no times of that collective and number of ranks
// (times that don't say their ranks are of any).
const MeasuredTimes* server_times(const std::vector<MeasuredTimes>& times, Collective collective, int ranks);

}  // namespace ringside
