#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "machine/profile.hpp"
#include "model/case.hpp"
#include "model/finding.hpp"
#include "scenario/catalogue.hpp"

namespace ringside {

// The strategies that `custom` on device cuda may stand for. Those with programmatic dependent launch are not
// among them: with a kernel of somebody else before each call it gains nothing.
inline constexpr const char* kCustomCandidates[] = {"custom-push-ll", "custom-push", "custom-two-shot",
                                                    "custom-pull"};

// What `custom` does with messages of a link, a mode and a number of ranks: the strategy of the first choice
// whose `up_to` the message does not exceed.
struct CustomChoice {
  std::optional<PeerAccess> link{};  // between all ranks; absent: whatever it is
  Mode mode = Mode::graph;
  int ranks = 2;
  Bytes up_to;
  std::string strategy;  // full name
};

inline constexpr Bytes kNoLimit{~std::uint64_t{0}};

// Which strategy `custom` stands for, by message size. Measured on one machine.
struct CustomTable {
  std::string origin;             // the file; of a built-in table "built-in table"
  std::string digest;             // text_digest() of what was read; empty: it was not read
  std::vector<std::string> gpus;  // UUIDs of the GPUs it was measured with, by rank; empty: holds anywhere
  std::string measured;           // date
  std::vector<CustomChoice> choices;  // of a mode and ranks: ascending, the last one without a limit
};

// Reads scenarios/custom/*.toml and what to_toml() wrote. Throws UsageError that says where it is wrong: no
// table, a size left open, a strategy that is not among kCustomCandidates.
CustomTable read_custom_table(const ScenarioText& text);
std::string to_toml(const CustomTable& table);

// The strategy for a case on ranks that are joined by `link`. Where the table knows the number of ranks not,
// the next larger one's choices hold, else the largest's; a mode or a link that it does not know is taken as
// another one.
const std::string& choose_custom(const CustomTable& table, PeerAccess link, Mode mode, int ranks,
                                 Bytes bytes);

// The choices that follow from medians: `fastest` are the winners of ascending sizes. Between two sizes with
// different winners the limit is their geometric mean.
struct FastestAt {
  Bytes bytes;
  std::string strategy;
};
std::vector<CustomChoice> choices_from(Mode mode, int ranks, const std::vector<FastestAt>& fastest);

// The table to be used, and why it is not the stored one.
struct FoundCustomTable {
  CustomTable table;
  std::optional<Finding> problem;  // "custom-table-unreadable": the file, and what is wrong with it
};

// The table of this machine with these GPUs, if one was stored and can be read, else the built-in one.
FoundCustomTable custom_table_for(const std::vector<std::string>& gpus);

// The table of a machine that none was measured on; its origin is "built-in table".
const CustomTable& built_in_custom_table();

// Whether a table for these GPUs can be stored: tried before it is measured. Throws EnvironmentError.
void check_custom_table_place(const std::vector<std::string>& gpus);

// Stores a table for the GPUs that it names, so that custom_table_for() finds it; returns the file. Throws
// EnvironmentError.
std::string store_custom_table(const CustomTable& table);

}  // namespace ringside
