#include "model/document.hpp"

#include "base/build_info.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

Finding timeout(std::vector<std::string> evidence) {
  return {.kind = "timeout",
          .severity = Severity::error,
          .subject = "ring 2K bf16 eager",
          .message = "no answer",
          .evidence = std::move(evidence),
          .remedy = ""};
}

}  // namespace

TEST_CASE("a Finding is found by its id") {
  Document document;
  CHECK(document.find("timeout:ring 2K bf16 eager") == nullptr);
  const std::string id = add_finding(document, timeout({"rank 1"}));
  CHECK(id == "timeout:ring 2K bf16 eager");
  REQUIRE(document.find(id) != nullptr);
  CHECK(document.find(id)->message == "no answer");
}

TEST_CASE("a Finding that is there already gets the evidence that is new") {
  Document document;
  add_finding(document, timeout({"launch 0: rank 1"}));
  add_finding(document, timeout({"launch 0: rank 1", "launch 2: rank 0"}));
  REQUIRE(document.findings.size() == 1);
  CHECK(document.findings[0].evidence == std::vector<std::string>{"launch 0: rank 1", "launch 2: rank 0"});

  Finding other = timeout({});
  other.subject = "tree 2K bf16 eager";
  add_finding(document, other);
  CHECK(document.findings.size() == 2);
}

TEST_CASE("a Document names the binary that made it") {
  CHECK(Document{}.tool.version == build_info().version);
  CHECK(Document{}.tool.commit == build_info().commit);
}

TEST_CASE("every word of the model is read back as what it was written") {
  for (const Status status : {Status::pass, Status::improve, Status::regress, Status::ambiguous,
                              Status::skipped, Status::failed, Status::timeout}) {
    CHECK(parse_name<Status>(to_string(status)) == status);
  }
  for (const Origin origin : {Origin::measured, Origin::modelled, Origin::reported, Origin::assumed}) {
    CHECK(parse_origin(to_string(origin)) == origin);
  }
  for (const Severity severity : {Severity::note, Severity::warning, Severity::error}) {
    CHECK(parse_severity(to_string(severity)) == severity);
  }
  CHECK(to_string(Status::regress) == "regress");
  CHECK(to_string(Origin::assumed) == "assumed");
  CHECK(to_string(Severity::error) == "error");
}
