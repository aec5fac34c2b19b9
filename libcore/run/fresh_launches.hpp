#pragma once

#include <string>
#include <vector>

#include "model/document.hpp"
#include "run/monitor.hpp"
#include "run/probe_request.hpp"

namespace ringside {

// Measuring cases of a Document again: the cases are of the request that it holds, all else is of the command
// line or by default.
class FreshLaunches {
 public:
  // Looks at the request, the build and the machine of the Document. Starts no ranks. `flags`: what the
  // command line says of a measurement.
  FreshLaunches(const Document& document, const RequestOverrides& flags);

  // Why this binary can't do it here: another build, another machine, no request, a setting that decides what
  // a time means, ... Empty: it can.
  const std::string& obstacle() const { return obstacle_; }

  // Settings that are not as the Document records them, such as "budget 50 s, recorded 30 s".
  const std::vector<std::string>& differences() const { return differences_; }

  // `launches` fresh ones of the groups of cases to which `cases` belong. Throws as measure() does.
  Document measure(const std::vector<Case>& cases, int launches, const Clock& clock,
                   RunMonitor& monitor) const;

 private:
  ProbeRequest request_;
  bool budget_is_given_ = false;
  std::string obstacle_;
  std::vector<std::string> differences_;
};

}  // namespace ringside
