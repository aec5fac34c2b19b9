#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "served/speed_reading.hpp"
#include "spec/scenario.hpp"

namespace ringside {

// What people type about a question, as data. All throw UsageError with one line that names the text.

// "8", "1:64:x2": running sequences of the whole server, ascending.
std::vector<int> parse_batches(std::string_view text);

// "2K", "1K:32K:x4": tokens of a sequence, ascending.
std::vector<double> parse_contexts(std::string_view text);

// "batch=8,tokens_s=455", "batch=8,drafts=3,tokens_s=372,length=2.4,context=2K": a speed that somebody
// measured. `drafts` makes it one with speculation; a length needs drafts. A tree says its top_k and the
// candidates of its verify pass too ("drafts=4,top_k=4,candidates=16"). `tokens_s` may be missing where a
// length is there.
SpeedReading parse_observation(const std::string& text);

// "2.4" (tokens a step with `levels` drafts), "0.8,0.6,0.45" (share of drafts that accept each position),
// "0.7" (below 1: of each position, given the ones before). A published curve ("golden:...") is none of them.
AcceptanceInput parse_acceptance_input(const std::string& text, int levels);

// Whether the text names a published curve.
bool names_published_acceptance(std::string_view text);

}  // namespace ringside
