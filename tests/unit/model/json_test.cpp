#include <cmath>
#include <limits>

#include "base/errors.hpp"
#include "model/document.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "unit/model/full_document.hpp"

using namespace ringside;
using Catch::Matchers::ContainsSubstring;
using test::full_document;

namespace {

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), with);
}

// The message with which reading `text` fails.
std::string complaint(const std::string& text) {
  try {
    document_from_json(text, "results.json");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no complaint";
}

// The complaint about the full document after one replacement.
std::string complaint_after(const std::string& what, const std::string& with) {
  return complaint(replaced(to_json(full_document(), false), what, with));
}

}  // namespace

TEST_CASE("a Document is written in the documented form") {
  const std::string text = to_json(full_document());
  CHECK(text == test::golden("data/golden/model/full.json", text));
  Document empty;
  empty.tool = full_document().tool;
  empty.command = "probe-comm";
  empty.started = "2026-03-01T12:00:00Z";
  const std::string least = replaced(to_json(empty), schema_version(), "1.4.0");  // whatever it is by now
  CHECK(least == test::golden("data/golden/model/empty.json", least));
}

TEST_CASE("a Document that isn't pretty is one line with the same content") {
  const std::string line = to_json(full_document(), false);
  CHECK(line.find('\n') == line.size() - 1);
  CHECK(to_json(document_from_json(line, "x")) == to_json(full_document()));
}

TEST_CASE("a Document that is read back is the one that was written") {
  const Document read = document_from_json(to_json(full_document()), "results.json");
  CHECK(to_json(read) == to_json(full_document()));  // the golden file shows that nothing is left out
  CHECK(read.rows[0].params == full_document().rows[0].params);
  CHECK(read.method->seed == std::numeric_limits<std::uint64_t>::max());
  CHECK_FALSE(read.rows[1].time);
  CHECK(read.tool.version == "1.2.3");
}

TEST_CASE("a number that is not finite is null and is read as NaN") {
  Document document = full_document();
  document.rows[0].time->median_ns = std::numeric_limits<double>::quiet_NaN();
  document.rows[0].algbw_gbps = std::numeric_limits<double>::infinity();
  document.rows[0].launches[0].samples_ns = {1, -std::numeric_limits<double>::infinity()};
  const std::string text = to_json(document, false);
  CHECK_THAT(text, ContainsSubstring("\"median_ns\":null") && ContainsSubstring("\"algbw_gbps\":null") &&
                       ContainsSubstring("\"samples_ns\":[1.0,null]"));
  const Document read = document_from_json(text, "x");
  CHECK(std::isnan(read.rows[0].time->median_ns));
  CHECK_FALSE(read.rows[0].algbw_gbps);
}

TEST_CASE("text that is no UTF-8 is written with replacement characters") {
  Document document = full_document();
  document.findings[0].evidence = {"stderr: \xff\xfe!", "cut \xe2\x82"};
  document.environment = {{"BAD\xc0", "v\x80"}};
  const Document read = document_from_json(to_json(document), "x");
  CHECK(read.findings[0].evidence[0] == "stderr: \xef\xbf\xbd\xef\xbf\xbd!");
  CHECK(read.environment[0].second == "v\xef\xbf\xbd");
}

TEST_CASE("keys of a later minor version are ignored") {
  std::string text = replaced(to_json(full_document(), false), schema_version(), "1.99.0");
  text = replaced(text, "\"complete\":", "\"mood\":{\"x\":[1]},\"complete\":");
  CHECK(complaint(text) == "no complaint");
}

TEST_CASE("another major version or another kind of file is refused") {
  CHECK(complaint_after(schema_version(), "2.0.0") ==
        "results.json: $.schema_version: this ringside reads version 1.x, found '2.0.0'");
  CHECK(complaint_after("\"ringside.document\"", "\"other\"") ==
        "results.json: $.schema: expected 'ringside.document', found 'other'");
  CHECK(complaint("{}") == "results.json: $: the key 'schema' is missing");
  CHECK(complaint("[]") == "results.json: $: expected an object, found array");
}

TEST_CASE("a value of the wrong type is named by its path") {
  CHECK(complaint_after("\"complete\":true", "\"complete\":1") ==
        "results.json: $.complete: expected true or false, found 1");
  CHECK(complaint_after("\"median_ns\":1831.5", "\"median_ns\":\"fast\"") ==
        "results.json: $.rows[0].time.median_ns: expected a number, found \"fast\"");
  CHECK(complaint_after("\"ranks\":8", "\"ranks\":8.5") ==
        "results.json: $.rows[0].params.ranks: expected a whole number from 1 to 1024, found 8.5");
  CHECK_THAT(complaint_after("\"bytes\":2048", "\"bytes\":-1"),
             ContainsSubstring(".bytes: expected a whole number from 1 to 281474976710656, found -1"));
  CHECK_THAT(complaint_after("\"ranks\":8", "\"ranks\":3000000000"), ContainsSubstring("found 3000000000"));
  CHECK(complaint_after("\"samples_ns\":[1831.5,1790.0", "\"samples_ns\":[1831.5,{}") ==
        "results.json: $.rows[0].launches[0].samples_ns[1]: expected a number, found object");
  CHECK(complaint_after("\"cores\":\"2\"", "\"cores\":2") ==
        "results.json: $.machine.facts.cores: expected a string, found 2");
  CHECK(complaint_after("\"argv\":[", "\"argv\":null,\"x\":[") ==
        "results.json: $.argv: expected an array, found null");
}

TEST_CASE("a number outside the range of its field is refused, and its ends are not") {
  CHECK(complaint_after("\"median_ns\":1831.5", "\"median_ns\":-1.5") ==
        "results.json: $.rows[0].time.median_ns: expected a number above 0 and below 604800000000000, found "
        "-1.5");
  CHECK(complaint_after("\"median_ns\":1831.5", "\"median_ns\":4848240256461.103") ==
        "results.json: $.rows[0].time.median_ns: expected a number above 0 and below 3600000000000, found "
        "4848240256461.103");  // measured
  CHECK(
      complaint_after("\"origin\":\"measured\",\"time\":{\"samples\":120,\"median_ns\":1831.5",
                      "\"origin\":\"modelled\",\"time\":{\"samples\":120,\"median_ns\":4848240256461.103") ==
      "no complaint");
  CHECK(complaint_after("\"of_floor\":0.5", "\"of_floor\":-0.5") ==
        "results.json: $.rows[0].of_floor: expected a number from 0 to 1e+18, found -0.5");
  CHECK(
      complaint_after("\"samples_ns\":[1831.5", "\"samples_ns\":[1e15") ==
      "results.json: $.rows[0].launches[0].samples_ns[0]: expected a number above 0 and below 3600000000000, "
      "found 1000000000000000");
  CHECK(complaint_after("\"ranks\":8", "\"ranks\":1024") == "no complaint");
  CHECK_THAT(complaint_after("\"ranks\":8", "\"ranks\":1025"), ContainsSubstring("found 1025"));
  CHECK_THAT(complaint_after("\"ranks\":8", "\"ranks\":0"), ContainsSubstring("found 0"));
}

TEST_CASE("an unknown word is named by its path with the nearest one") {
  CHECK(complaint_after("\"dtype\":\"fp16\",\"ranks\"", "\"dtype\":\"fp61\",\"ranks\"") ==
        "results.json: $.rows[0].params.dtype: unknown dtype 'fp61' (did you mean 'fp16'?); valid: bf16, "
        "fp16, fp32");
  CHECK_THAT(complaint_after("\"severity\":\"note\"", "\"severity\":\"fatal\""),
             ContainsSubstring("results.json: $.findings[0].severity: unknown severity 'fatal'"));
}

TEST_CASE("a missing key is named by the path of its object") {
  CHECK(complaint_after("\"family\":\"nccl-ring\",", "") ==
        "results.json: $.rows[0].params: the key 'family' is missing");
}

TEST_CASE("a key that a later minor version brought may be missing") {
  const std::string text = to_json(full_document(), false);
  const std::string earlier = replaced(
      text,
      R"("floor_ns":915.75,"touch_ns":120.5,"touch_interval95_ns":{"low":118.0,"high":123.0},"disturbed_rounds":[1],)"
      R"("core_wait":0.25,"ran":"custom-push","turn_group":1})",
      R"("disturbed_rounds":[1]})");
  const Document read = document_from_json(earlier, "results.json");
  CHECK_FALSE(read.rows[0].launches[0].floor_ns);
  CHECK(read.rows[0].launches[0].turn_group == 0);
  CHECK(read.rows[0].launches[0].nccl_calls.size() == 2);
}

TEST_CASE("keys may come in any order") {
  const std::string text = to_json(full_document(), false);
  const std::string other =
      replaced(text, R"("launch":0,"calls_per_sample":122,)", R"("calls_per_sample":122,"launch":0,)");
  CHECK(to_json(document_from_json(other, "x"), false) == text);
}

TEST_CASE("numbers of an array stand on one line, and whole numbers keep their digits") {
  CHECK_THAT(to_json(full_document()),
             ContainsSubstring("\n          \"samples_ns\": [1831.5, 1790.0, 1900.125, 2100.0],\n") &&
                 ContainsSubstring("\n    \"seed\": 18446744073709551615,\n") &&
                 ContainsSubstring("\n          \"samples_ns\": [],\n"));
}

TEST_CASE("malformed JSON is named by line and column") {
  CHECK_THAT(complaint("{\n  \"schema\": oops\n}"),
             ContainsSubstring("results.json:2:13: ") && ContainsSubstring("expected a value"));
  CHECK_THAT(complaint("{\n\"a\":1"),
             ContainsSubstring("results.json:2:6: ") && ContainsSubstring("end of the text"));
  CHECK_THAT(complaint(""), ContainsSubstring("results.json:1:1: "));
  CHECK_THAT(complaint("{\"a\":\"\xff\"}"), ContainsSubstring("results.json:1:7: "));
  CHECK_THAT(complaint("[1e999]"), ContainsSubstring("results.json:1:2: ") && ContainsSubstring("1e999"));
}

TEST_CASE("deep nesting is refused, not a crash") {
  CHECK_THAT(complaint(std::string(100000, '[')), ContainsSubstring("results.json:1:"));
}
