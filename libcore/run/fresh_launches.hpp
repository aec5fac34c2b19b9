#pragma once

#include <string>
#include <vector>

#include "model/document.hpp"
#include "run/monitor.hpp"
#include "run/probe_request.hpp"

namespace ringside {

// Measuring cases of a Document again, by the request that it holds.
class FreshLaunches {
 public:
  // Looks at the request, the build and the machine of the Document. Starts no ranks.
  explicit FreshLaunches(const Document& document);

  // Why this binary can't do it here: another build, another machine, no request, ... Empty: it can.
  const std::string& obstacle() const { return obstacle_; }

  // `launches` fresh ones of the groups of cases to which `cases` belong. Throws as measure() does.
  Document measure(const std::vector<Case>& cases, int launches, const Clock& clock,
                   RunMonitor& monitor) const;

 private:
  ProbeRequest request_;
  std::string obstacle_;
};

}  // namespace ringside
