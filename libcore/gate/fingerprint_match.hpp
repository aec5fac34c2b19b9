#pragma once

#include <string>
#include <vector>

#include "model/document.hpp"

namespace ringside {

// A fact of the machine in which two results differ; "none" where a side lacks it.
struct FactDifference {
  std::string fact;
  std::string base;
  std::string now;
};

// Whether a fact tells machines apart, for times to be comparable. What changes from run to run on one
// machine (free memory, processes on a GPU), and what belongs to the binary or to the place of a file, does
// not.
bool identifies(const std::string& fact);

// In the order of the facts; empty: times of the two can be judged against each other.
std::vector<FactDifference> differing_facts(const Fingerprint& base, const Fingerprint& now);

// "driver: 570.1 and 580.2"
std::string describe(const FactDifference& difference);

// 16 hexadecimal digits that name a machine by the facts that identify it.
std::string machine_id(const Fingerprint& machine);

}  // namespace ringside
