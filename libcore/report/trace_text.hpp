#pragma once

#include <string>

#include "report/writer.hpp"

namespace ringside {

// An init trace for people, on a terminal. The document has a trace.
std::string trace_text(const Document& document, const RenderOptions& options);

// The same as Markdown, to be pasted into an issue.
std::string trace_markdown(const Document& document, const RenderOptions& options);

}  // namespace ringside
