// The one unit in which the descriptions of all records are compiled.
#include "model/document.hpp"
#include "model/record_builder.hpp"

namespace ringside {

const RecordType& document_record() {
  return record_type<Document>();
}

const RecordType& row_record() {
  return record_type<Row>();
}

}  // namespace ringside
