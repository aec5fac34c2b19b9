#pragma once

#include <string>
#include <vector>

#include "model/document.hpp"
#include "sweep/plan.hpp"
#include "sweep/round_watch.hpp"

namespace ringside {

// What disturbed the rounds of a whole sweep, as findings.
class DisturbanceReport {
 public:
  // One attempt at the cases of a group; `group` names it: "2K bf16 eager".
  void add(const std::string& group, const Disturbance& disturbance);

  // Adds a finding for each reason that was seen.
  void add_findings(DeviceKind device, Document& document) const;

 private:
  struct Counted {
    std::string group;
    Disturbance disturbance;
  };

  int rounds() const;
  int count(int Disturbance::*counter) const;
  std::vector<std::string> evidence(int Disturbance::*counter) const;
  void add_busy(Document& document) const;
  void add_throttled(Document& document) const;
  void add_clocks(DeviceKind device, Document& document) const;

  std::vector<Counted> attempts_;
};

// More ranks than cores that they may keep busy.
Finding cores_shared(int ranks, int cores);

}  // namespace ringside
