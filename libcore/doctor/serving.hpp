#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "doctor/box_facts.hpp"

namespace ringside {

// A server whose allreduces are asked for.
struct ServedBy {
  std::string framework;  // "vllm", "sglang": a support table
  std::string version;    // as find_edition() takes it; empty: the newest that was read
  int ranks = 0;          // 0: as many as there are GPUs
  std::map<std::string, std::string> switches = {};  // flags and variables of its command, over the box's own
  std::vector<Bytes> sizes = {};                     // of messages; empty: 16K, 64K, 256K, 1M, 8M
};

// "vllm@0.20", "sglang". Throws UsageError where there is no such framework or version.
ServedBy parse_served_by(const std::string& text);

// The server that a command starts, which is read and never started: its framework, --tensor-parallel-size or
// --tp, its flags. Its version is the Python package's of this box, where `facts` have it. Throws UsageError.
ServedBy served_by_command(const std::vector<std::string>& command, const BoxFacts& facts);

// Which of the server's allreduces takes a call of each size, and why each other one does not.
std::vector<PathPrediction> predict_paths(const ServedBy& server, const BoxFacts& facts);

}  // namespace ringside
