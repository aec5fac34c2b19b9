#include "run/read_documents.hpp"

#include "base/input_file.hpp"
#include "base/large_pages.hpp"
#include "base/parallel.hpp"
#include "machine/resources.hpp"

namespace ringside {

Document read_document(const std::string& path) {
  constexpr std::size_t kMostBytes = 512u << 20;
  return document_from_json(read_input(path, kMostBytes), path == "-" ? "stdin" : path);
}

std::vector<Document> read_documents(const std::vector<std::string>& paths) {
  grow_heaps_in_large_steps();
  std::vector<Document> documents(paths.size());
  parallel_parts(paths.size(), 1, usable_cores(), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) documents[i] = read_document(paths[i]);
  });
  return documents;
}

}  // namespace ringside
