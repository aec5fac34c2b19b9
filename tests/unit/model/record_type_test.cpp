#include <fmt/format.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "model/document.hpp"
#include "model/record_builder.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"

using namespace ringside;
using Json = nlohmann::ordered_json;

namespace {

// JSON text for fields as they are described, each with values of its own.
class Sample {
 public:
  explicit Sample(int first) : next_(first) {}

  Json of(const RecordType& record, const FieldRange& inherited = ranges::kAny) {
    Json object = Json::object();
    for (const RecordField& field : record.fields) {
      if (!field.derived)
        object[std::string(field.name)] = of(*field.type, field.range.bounded() ? field.range : inherited);
    }
    return object;
  }

 private:
  Json of(const ValueType& type, const FieldRange& range) {
    const int own = next_++;
    switch (type.kind) {
      case ValueKind::boolean:
        return own % 2 == 0;
      case ValueKind::whole:
        return static_cast<std::uint64_t>(range.least.value_or(0)) +
               static_cast<std::uint64_t>(own) % static_cast<std::uint64_t>(range.most.value_or(1e6) / 2);
      case ValueKind::number:
        return std::max(-1e6, range.least.value_or(0)) + own / 4096.0;
      case ValueKind::text:
        return fmt::format("text {}", own);
      case ValueKind::word:
        return std::string(type.words[static_cast<std::size_t>(own) % type.words.size()]);
      case ValueKind::facts:
        return Json{{fmt::format("name {}", own), "a"}, {"other", fmt::format("value {}", own)}};
      case ValueKind::pair:
        return Json::array({own + 0.5, own + 0.25});
      case ValueKind::record:
        return of(type.record(), range);
      case ValueKind::list: {
        Json list = Json::array();
        for (int i = 0; i < 2; ++i) list.push_back(of(*type.element, range));
        return list;
      }
      case ValueKind::optional:
        return of(*type.element, range);
    }
    return {};
  }

  int next_;
};

// The places at which `written` lacks something that `given` has, or has something else.
void compare(const Json& given, const Json& written, const std::string& place,
             std::vector<std::string>& differences) {
  if (given.is_object()) {
    for (const auto& [key, value] : given.items()) {
      if (!written.contains(key)) {
        differences.push_back(place + "." + key);
      } else {
        compare(value, written.at(key), place + "." + key, differences);
      }
    }
  } else if (given.is_array() && given.size() == written.size()) {
    for (std::size_t i = 0; i < given.size(); ++i)
      compare(given[i], written[i], fmt::format("{}[{}]", place, i), differences);
  } else if (given != written) {
    differences.push_back(place);
  }
}

// A record of its own, with a field of each kind that the rules below speak of.
struct Part {
  double share = 0.5;
  int count = 7;
};

template <typename Fields>
void describe(Fields& fields, const Part*) {
  fields.record("part", "A part.");
  fields.add("share", &Part::share, "Of the whole.", ranges::kProbability);
  fields.add("count", &Part::count, "How many.", ranges::kCount).since_minor(2);
}

struct Whole {
  std::optional<int> width;
  std::vector<int> sizes;
  std::vector<Part> parts;
  Part first;

  int twice() const { return 2 * first.count; }
};

template <typename Fields>
void describe(Fields& fields, const Whole*) {
  fields.record("whole", "All of it.");
  fields.add("width", &Whole::width, "May be unknown.", ranges::kCount);
  fields.derived("twice", &Whole::twice, "Two times the first count.");
  fields.add("sizes", &Whole::sizes, "Of parts.", ranges::kCount);
  fields.add("parts", &Whole::parts, "All parts.");
  fields.add("first_count", &Whole::first, &Part::count, "Of the first part.", ranges::kCount);
}

Whole read(const std::string& text) {
  const JsonTree tree(text, "x.json");
  const std::string origin = "x.json";
  Whole whole;
  read_record(JsonPlace(tree.root(), origin), record_type<Whole>(), &whole);
  return whole;
}

std::string written(const Whole& whole, bool pretty) {
  JsonText json(pretty);
  write_record(json, record_type<Whole>(), &whole);
  return std::move(json).take();
}

std::string complaint(const std::string& text) {
  try {
    static_cast<void>(read(text));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no complaint";
}

// All records that a Document is made of.
void collect(const RecordType& record, std::vector<const RecordType*>& all) {
  if (std::ranges::find(all, &record) != all.end()) return;
  all.push_back(&record);
  for (const RecordField& field : record.fields) {
    const ValueType* type = field.type;
    while (type->element != nullptr) type = type->element;
    if (type->record != nullptr) collect(type->record(), all);
  }
}

std::vector<const RecordType*> all_records() {
  std::vector<const RecordType*> all;
  collect(document_record(), all);
  return all;
}

}  // namespace

TEST_CASE("Every field of every record is read from its key and written under it") {
  for (int first = 1; first <= 3; ++first) {  // so that no word or truth is the default each time
    Json given = Sample(first).of(document_record());
    given["schema"] = kSchemaName;
    given["schema_version"] = schema_version();
    const Document read = document_from_json(given.dump(), "sample.json");
    std::vector<std::string> differences;
    compare(given, Json::parse(to_json(read)), "$", differences);
    CHECK(differences == std::vector<std::string>{});
  }
}

TEST_CASE("The comparison of the test above sees what is missing and what differs") {
  std::vector<std::string> differences;
  compare(Json::parse(R"({"a": [{"b": 1}, 2], "c": 3, "d": null})"),
          Json::parse(R"({"a": [{"b": 2}, 2], "c": 3})"), "$", differences);
  CHECK(differences == std::vector<std::string>{"$.a[0].b", "$.d"});
}

TEST_CASE("A record is written in the order of its description") {
  const Whole whole{.width = {}, .sizes = {1, 2}, .parts = {{0.25, 1}}, .first = {.share = 1, .count = 3}};
  CHECK(written(whole, false) ==
        R"({"width":null,"twice":6,"sizes":[1,2],"parts":[{"share":0.25,"count":1}],"first_count":3})"
        "\n");
  CHECK(written(whole, true) == R"({
  "width": null,
  "twice": 6,
  "sizes": [1, 2],
  "parts": [
    {
      "share": 0.25,
      "count": 1
    }
  ],
  "first_count": 3
}
)");
}

TEST_CASE("A derived field is ignored when read, a later one may be missing, any other not") {
  const Whole whole = read(
      R"({"first_count": 4, "twice": "x", "width": 0, "sizes": [], "parts": [{"share": 1}], "new": {}})");
  CHECK(whole.twice() == 8);
  CHECK(whole.width == 0);
  CHECK(whole.parts.at(0).count == 7);
  CHECK(complaint(R"({"first_count": 4, "width": null, "parts": []})") ==
        "x.json: $: the key 'sizes' is missing");
}

TEST_CASE("What a field's range does not hold is refused at its place") {
  const auto with_share = [](const std::string& share) {
    return complaint(R"({"first_count": 4, "width": null, "sizes": [1], "parts": [{"share": )" + share +
                     "}]}");
  };
  CHECK(with_share("1") == "no complaint");
  CHECK(with_share("null") == "no complaint");
  CHECK(with_share("1.25") == "x.json: $.parts[0].share: expected a number from 0 to 1, found 1.25");
  CHECK(complaint(R"({"width": -1})") ==
        "x.json: $.width: expected a whole number from 0 to 2147483647, found -1");
}

TEST_CASE("An open range does not hold its ends, and numbers of a record inherit the range of its field") {
  const auto time = [](const std::string& median, const std::string& low) {
    Json row = Sample(1).of(row_record());
    row["origin"] = "measured";
    row["time"]["median_ns"] = Json::parse(median);
    row["time"]["interval95_ns"]["low"] = Json::parse(low);
    Json document = Sample(1).of(document_record());
    document["schema"] = kSchemaName;
    document["schema_version"] = schema_version();
    document["rows"] = Json::array({row});
    try {
      static_cast<void>(document_from_json(document.dump(), "x.json"));
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string("no complaint");
  };
  CHECK(time("0.001", "3599999999999") == "no complaint");
  CHECK(time("0", "1") ==
        "x.json: $.rows[0].time.median_ns: expected a number above 0 and below 604800000000000, found 0");
  CHECK(time("3.6e12", "1").find("$.rows[0].time.median_ns: expected") != std::string::npos);
  CHECK(
      time("1", "-1") ==
      "x.json: $.rows[0].time.interval95_ns.low: expected a number above 0 and below 604800000000000, found "
      "-1");
}

TEST_CASE("Every number has a range with two ends") {
  const auto check = [](auto&& self, const RecordType& record, const FieldRange& inherited) -> void {
    for (const RecordField& field : record.fields) {
      const FieldRange& range = field.range.bounded() ? field.range : inherited;
      const ValueType* type = field.type;
      while (type->element != nullptr) type = type->element;
      if (type->record != nullptr) self(self, type->record(), range);
      if (type->kind != ValueKind::number && type->kind != ValueKind::whole && type->kind != ValueKind::pair)
        continue;
      INFO(record.name << "." << field.name);
      CHECK((range.least && range.most));
    }
  };
  check(check, document_record(), ranges::kAny);
}

TEST_CASE("The schema in docs/schema is the one of this binary") {
  const std::string schema = document_schema();
  CHECK(schema == test::golden("../docs/schema/document-1.json", schema));
}

TEST_CASE("Records have names of their own, and each field a sentence and the unit of its name") {
  std::vector<std::string_view> names;
  for (const RecordType* record : all_records()) {
    CHECK(std::ranges::find(names, record->name) == names.end());
    names.push_back(record->name);
    CHECK(record->meaning.ends_with('.'));
    for (const RecordField& field : record->fields) {
      INFO(record->name << "." << field.name);
      CHECK(field.meaning.size() > 3);
      CHECK((field.meaning.ends_with('.') || field.meaning.ends_with("...")));
      const ValueType* type = field.type;
      while (type->element != nullptr) type = type->element;
      if (type->kind != ValueKind::number && type->kind != ValueKind::whole) continue;
      CHECK((field.name.ends_with("_ns") == (field.range.unit == "ns")));
      CHECK((field.name.ends_with("bytes") == (field.range.unit == "bytes")));
      CHECK((field.name.ends_with("_gbps") == (field.range.unit == "GB/s")));
    }
  }
  CHECK(names.size() > 20);
}
