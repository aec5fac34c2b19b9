#pragma once

#include <string>
#include <vector>

#include "model/document.hpp"

namespace ringside {

// What --json wrote to `path`; "-": to stdin. Throws UsageError for what can't be read or is none.
Document read_document(const std::string& path);

// Several, by as many threads as there are usable cores.
std::vector<Document> read_documents(const std::vector<std::string>& paths);

}  // namespace ringside
