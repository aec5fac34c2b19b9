#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/core/value.hpp"

namespace ringside {

// What of one launch is known: its arguments by their fields, and the variables that it sets. Absent: not
// known at all.
struct KnownLaunch {
  std::optional<std::map<std::string, Value>> args;
  std::optional<std::map<std::string, Value>> environment;
};

// What a message names that belongs to this launch: flags ("--mem-fraction-static"), variables of the
// environment ("SGLANG_NUMA_BIND_V2") and fields of the arguments ("moe_dense_tp_size"), each once, in the
// order in which it names them, with what this launch gives them: "--tp-size, which this launch sets to 8".
std::vector<std::string> named_in_message(std::string_view message, const KnownLaunch& launch);

// What a message advises by itself, where it names a flag, a variable or a command for it: "Raise
// --mem-fraction-static above 0.942".
std::optional<std::string> advice_in_message(std::string_view message);

}  // namespace ringside
