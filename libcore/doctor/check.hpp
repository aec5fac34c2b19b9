#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "doctor/box_facts.hpp"

namespace ringside {

using CheckOutcomes = std::vector<CheckOutcome>;

// One thing that may be wrong with a box. judge() is a pure function of facts: it gives one outcome for each
// subject, or none where the box has no such thing. One file of checks/ each; it registers itself.
struct Check {
  std::string_view name;    // "shared-memory"
  std::string_view title;   // the question: "is /dev/shm large enough"
  std::string_view need;    // what it takes to look: "", "a GPU", "root"
  std::string_view cost;    // of looking: "none", "1 s"
  Severity severity;        // of a result that is not ok, at worst
  int gpus = 0;             // that it takes; with fewer it is not known, and judge() is not called
  std::string_view source;  // reports or code that it goes by
  CheckOutcomes (*judge)(const BoxFacts& facts);
};

CheckOutcome check_ok(std::string sentence, std::string subject = "");
CheckOutcome check_unknown(std::string reason, std::string subject = "");
// A server's own call fails with it.
CheckOutcome check_error(std::string sentence, std::string remedy, std::vector<std::string> evidence = {},
                         std::string subject = "");
// Good boxes show it too.
CheckOutcome check_hint(std::string sentence, std::string remedy, std::vector<std::string> evidence = {},
                        std::string subject = "");

std::span<const Check> all_checks();  // by name

class RegisterCheck {
 public:
  explicit RegisterCheck(const Check& check);
};

// What all checks say: errors first, then hints, ok, not known; in each by name.
CheckOutcomes judge_box(const BoxFacts& facts);

// The numbers of the GPUs that are known: 0 to gpus.count - 1.
std::vector<std::string> gpu_names(const BoxFacts& facts);  // "gpu.0", "gpu.1"

}  // namespace ringside
