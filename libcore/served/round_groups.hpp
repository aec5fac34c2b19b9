#pragma once

#include <string>
#include <vector>

#include "served/speed_reading.hpp"
#include "served/window_rounds.hpp"

namespace ringside {

// The readings of a log: rounds of one start, with or without speculation, of the same number of ranks and of
// sequences (those within 5 % of a commoner number are of that one), and of contexts within a factor 2. Plain
// before speculative, by batch. A rate is the median over rounds. Left out are rounds in which the server
// filled, emptied or read prompts - the first and last of a run, and those with a prompt - where they are
// more than a fifth off the others' median. `source` names the log.
std::vector<SpeedReading> readings_of(const std::vector<DecodeRound>& rounds,
                                      const std::vector<LoggedArguments>& starts, const std::string& source);

}  // namespace ringside
