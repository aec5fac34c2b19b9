#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "console.hpp"
#include "model/document.hpp"
#include "probe_request.hpp"

namespace ringside {

// Measuring cases of a Document of probe-comm again, as it says that they were measured.
class FreshLaunches {
 public:
  // Looks at the command line, the build and the machine of the Document.
  explicit FreshLaunches(const Document& document);

  // Why this binary can't do it here: another build, another machine, ... Empty: it can.
  const std::string& obstacle() const { return obstacle_; }

  // `launches` fresh ones of the groups of cases to which `cases` belong. Throws as measure() does.
  Document measure(const std::vector<Case>& cases, int launches, const Clock& clock, Console& console) const;

 private:
  ProbeRequest request_;
  std::string obstacle_;
};

}  // namespace ringside
