#include "model/finding_kinds.hpp"

#include <set>

#include "support/catch.hpp"

using namespace ringside;

TEST_CASE("kinds of findings have ids of their own, in order, and say what they mean") {
  std::set<std::string_view> ids;
  for (const FindingKind& kind : kFindingKinds) {
    INFO(kind.id);
    CHECK((ids.empty() || *ids.rbegin() < kind.id));
    CHECK(ids.insert(kind.id).second);
    CHECK(kind.sentence.ends_with('.'));
    CHECK((kind.junit == JUnitClass::none) == (kind.exit == ExitCode::ok));
  }
}

TEST_CASE("what ends a run with a status of its own is told by the kind of the finding") {
  CHECK(exit_of("wrong-data") == ExitCode::wrong_data);
  CHECK(exit_of("rank-lost") == ExitCode::hang);
  CHECK(exit_of("ranks-restarted") == ExitCode::hang);
  CHECK(exit_of("strategy-error") == ExitCode::environment);
  CHECK(exit_of("regression") == ExitCode::regression);
  CHECK(exit_of("winner") == ExitCode::ok);
  CHECK(exit_of("of-another-version") == ExitCode::ok);
  CHECK(find_finding_kind("of-another-version") == nullptr);
}

TEST_CASE("a finding's id names its kind as a whole") {
  CHECK(is_of_kind("tie:2K bf16", finding_kind("tie")));
  CHECK_FALSE(is_of_kind("tied:2K bf16", finding_kind("tie")));
}
