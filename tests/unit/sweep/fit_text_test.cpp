#include "sweep/fit_text.hpp"

#include "support/catch.hpp"

using namespace ringside;

namespace {

Case case_of(const std::string& strategy, Mode mode = Mode::graph) {
  return {.strategy = strategy, .family = strategy, .mode = mode, .bytes = 2_KiB, .ranks = 8};
}

MachineProfile fitted() {
  MachineProfile machine;
  machine.ranks = 8;
  machine.compute_capability = 90;
  machine.fit_errors = {{"a", Mode::graph, 8, 14, 0.05, 0.13, "the times of A"},
                        {"b", Mode::graph, 8, 14, 0.02, 0.41, "the times of A"},
                        {"c", Mode::graph, 8, 14, 0.5, 0.6, "the times of C"},
                        {"d", Mode::graph, 4, 14, 0.01, 0.01, "the times of A"}};
  return machine;
}

}  // namespace

TEST_CASE("a fitted machine says to what, and the largest of its errors") {
  CHECK(fit_text(fitted(), {case_of("a")}) == "a to the times of A: 5 % off in the middle, 13 % at most");
  CHECK(fit_text(fitted(), {case_of("a"), case_of("b"), case_of("c")}) ==
        "a, b to the times of A: 5 % off in the middle, 41 % at most; c to the times of C: 50 % off in the "
        "middle, "
        "60 % at most");
}

TEST_CASE("what has no fit for its mode and number of ranks is assumed") {
  CHECK(fit_text(fitted(), {case_of("a"), case_of("d"), case_of("a", Mode::eager)}) ==
        "a graph to the times of A: 5 % off in the middle, 13 % at most; assumed, not fitted: d graph, a "
        "eager");
  CHECK(fit_text(fitted(), {case_of("d")}) == "assumed, not fitted to any times");
}
