#include <fmt/format.h>

#include <optional>

#include "base/errors.hpp"
#include "base/large_pages.hpp"
#include "model/document.hpp"
#include "model/record_type.hpp"

namespace ringside {
namespace {

void check_schema(const JsonPlace& place) {
  const std::string name = place["schema"].text();
  if (name != kSchemaName) {
    throw place["schema"].error(fmt::format("expected '{}', found '{}'", kSchemaName, name));
  }
  const std::string version = place["schema_version"].text();
  if (version.substr(0, version.find('.')) != std::to_string(kSchemaMajor)) {
    throw place["schema_version"].error(
        fmt::format("this ringside reads version {}.x, found '{}'", kSchemaMajor, version));
  }
}

}  // namespace

Document document_from_json(const std::string& text, const std::string& origin) {
  // Rows are most of a large result: each is read where it stands. What is wrong in one is said when the text
  // is known to be JSON, and a result that this version reads.
  constexpr std::size_t kBytesOfRow = 1024;  // at least, of one with a time
  std::vector<Row> rows;
  rows.reserve(text.size() / kBytesOfRow);
  prefer_large_pages(rows.data(), rows.capacity() * sizeof(Row));
  std::optional<UsageError> wrong;
  const JsonNode unknown;
  const JsonPlace outermost(unknown, origin);
  const JsonPlace array = outermost.member(unknown, "rows");
  const JsonTree tree(text, origin, "rows", [&](const JsonNode& row, std::size_t index) {
    if (wrong) return;
    try {
      read_record(array.element(row, index), row_record(), &rows.emplace_back());
    } catch (const UsageError& problem) {
      wrong = problem;
    }
  });
  const JsonPlace root(tree.root(), origin);
  check_schema(root);
  if (wrong) throw *wrong;
  Document document;
  read_record(root, document_record(), &document);  // with no rows: those have been taken out
  document.rows = std::move(rows);
  return document;
}

}  // namespace ringside
