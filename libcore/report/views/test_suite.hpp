#pragma once

#include <functional>
#include <string>

#include "model/document.hpp"
#include "report/view.hpp"

namespace ringside {

// The test of the run as a whole: whether it ended, and what went wrong apart from single cases.
struct RunTest {
  std::string output = {};  // what the run came to, in a sentence
  std::function<bool(const Finding&)> fails = [](const Finding& finding) {
    return finding.severity == Severity::error;
  };
  Facts properties = {};  // of the suite, besides those that all have
};

// A test for the run, and one for each case of the Document.
TestSuite test_suite(const Document& document, const RunTest& run = {});

// Whether a number did not come out right: a failure. What could not be run to its end is an error.
bool is_failure(const std::string& kind);

}  // namespace ringside
