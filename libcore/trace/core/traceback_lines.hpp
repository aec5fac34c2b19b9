#pragma once

#include <optional>
#include <string_view>

#include "model/init_trace.hpp"

namespace ringside {

// The shapes of a traceback's lines.

inline constexpr std::string_view kTracebackHead = "Traceback (most recent call last)";
inline constexpr std::string_view kFrameHead = "File \"";

// Where the head of a traceback begins, as the last thing of its line; npos: nowhere.
std::size_t traceback_head(std::string_view text);

// `  File "path", line N, in function`, and how far it is indented.
std::optional<TraceFrame> parse_frame(std::string_view text, int& indent);

// "AssertionError", "torch.OutOfMemoryError: CUDA ...", "RayTaskError(ValueError): ...", or any other name of
// a class, alone or before a colon. `strict`: the name must end as names of exceptions do.
bool is_exception(std::string_view text, bool strict);

// "During handling of the above exception, ...", "The above exception was the direct cause of ...".
bool is_chain_mark(std::string_view text);

// What surely is no part of a message that goes on over several lines: another program's words, a bar.
bool is_foreign(std::string_view text);

// Of the words before a traceback: that a process is lost, or that it goes on.
bool says_fatal(std::string_view words);
bool says_handled(std::string_view words);

// Whether they tell of any failure.
bool says_failure(std::string_view words);

// Blanks before a text, 1000 at most; 0 where there is nothing else.
int indent_of(std::string_view text);

// The margin of an exception group ("  | Traceback", "  + Exception Group Traceback") as blanks.
std::string without_margin(std::string_view text);

// Whether a log's level, such as "WARNING" or "I", is below an error.
bool is_quiet(std::string_view level);

}  // namespace ringside
