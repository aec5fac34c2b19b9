#include <fmt/format.h>

#include <algorithm>

#include "model/document.hpp"
#include "model/record_type.hpp"

namespace ringside {
namespace {

int newest_minor(const RecordType& record) {
  int newest = 0;
  for (const RecordField& field : record.fields) {
    const ValueType* type = field.type;
    while (type->element != nullptr) type = type->element;
    newest = std::max({newest, field.minor, type->record != nullptr ? newest_minor(type->record()) : 0});
  }
  return newest;
}

}  // namespace

std::string schema_version() {
  static const int minor = newest_minor(document_record());
  return fmt::format("{}.{}.0", kSchemaMajor, minor);
}

std::string to_json(const Document& document, bool pretty) {
  JsonText json(pretty);
  write_record(json, document_record(), &document);
  return std::move(json).take();
}

}  // namespace ringside
