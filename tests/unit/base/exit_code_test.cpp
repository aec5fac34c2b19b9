#include "base/exit_code.hpp"

#include "support/catch.hpp"

using namespace ringside;

TEST_CASE("an interrupt outranks every other exit status") {
  for (const ExitCode other : {ExitCode::ok, ExitCode::internal, ExitCode::hang, ExitCode::inconclusive}) {
    CHECK(combine(ExitCode::interrupted, other) == ExitCode::interrupted);
    CHECK(combine(other, ExitCode::interrupted) == ExitCode::interrupted);
  }
}

TEST_CASE("success gives way to anything else") {
  CHECK(combine(ExitCode::ok, ExitCode::ok) == ExitCode::ok);
  CHECK(combine(ExitCode::ok, ExitCode::inconclusive) == ExitCode::inconclusive);
  CHECK(combine(ExitCode::regression, ExitCode::ok) == ExitCode::regression);
}

TEST_CASE("of two failures the one with the smaller number is reported") {
  CHECK(combine(ExitCode::hang, ExitCode::wrong_data) == ExitCode::wrong_data);
  CHECK(combine(ExitCode::environment, ExitCode::hang) == ExitCode::environment);
  CHECK(combine(ExitCode::internal, ExitCode::environment) == ExitCode::internal);
}
