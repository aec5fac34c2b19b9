#include <fmt/format.h>

#include <optional>
#include <utility>

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

// What was measured took less than an hour; a calculated time may be longer.
void check_measured(const JsonPlace& place, const Row& row) {
  if (row.origin != Origin::measured || !row.time) return;
  const JsonPlace time = place["time"];
  const std::pair<const char*, std::optional<double>> numbers[] = {{"median_ns", row.time->median_ns},
                                                                   {"min_ns", row.time->min_ns},
                                                                   {"p90_ns", row.time->p90_ns},
                                                                   {"p99_ns", row.time->p99_ns}};
  for (const auto& [name, value] : numbers)
    if (value) static_cast<void>(time[name].number(ranges::kTime));
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
      const JsonPlace place = array.element(row, index);
      read_record(place, row_record(), &rows.emplace_back());
      check_measured(place, rows.back());
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
