#pragma once

#include <map>
#include <vector>

#include "spec/candidates.hpp"
#include "spec/estimate/posterior.hpp"
#include "spec/inquiry.hpp"

namespace ringside {

// Steps of one batch and context with other communication than the server's own: the calibrated step (its
// median), less the calls of the baseline, plus those of a candidate. Where a candidate has an all-to-all and
// the server has none, what is not communication changes by the ratio that the step model has for the two
// layouts before anything was observed.
class StepSheet {
 public:
  // `alltoall`: whether candidates have one that the server does not. Both must outlive the sheet.
  StepSheet(const Inquiry& inquiry, const Posterior& posterior, const Communication& baseline, bool alltoall);

  const SpecScenario& scenario() const { return inquiry_.scenario; }
  int batch() const { return inquiry_.scenario.speculation.batch; }

  // Numbers of drafts that can be asked for, ascending; 0: none.
  std::vector<int> drafts() const;

  double step_ns(const Communication& communication, int drafts) const;
  double verify_ns(const Communication& communication, int drafts) const;  // without the draft steps
  double communication_ns(const Communication& communication, int drafts) const;

  // Tokens a second of the whole server; `length` of a step with so many drafts (1 for none).
  double tokens_s(const Communication& communication, int drafts, double length) const;

 private:
  struct Line {
    StepPoint point;
    double step_ns = 0;
    double verify_ns = 0;
    double ratio = 1;  // of what is not communication, with an all-to-all
  };
  double with(const Communication& communication, const Line& line, double step_ns, double own_ns,
              double candidate_ns) const;

  const Inquiry& inquiry_;
  const Communication& baseline_;
  std::map<int, Line> lines_;
  double plain_rest_ns_ = 0;  // of a plain step: more rows never take less
};

}  // namespace ringside
