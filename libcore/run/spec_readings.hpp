#pragma once

#include <vector>

#include "model/finding.hpp"
#include "model/request.hpp"
#include "run/spec_options.hpp"
#include "spec/inquiry.hpp"

namespace ringside {

// What the files and options of a question say was measured.
struct SpecReadings {
  std::vector<ObservedReading> observations;
  LoggedArguments arguments;      // the last that a file has
  std::string server;             // that wrote the last file: "SGLang", "vLLM"; empty: not known
  std::vector<Finding> notes;     // what was read
  std::vector<InputText> inputs;  // the texts
  Withheld withheld;
};

// Throws UsageError that names the file for one that says nothing.
SpecReadings read_speeds(const SpecOptions& options);

}  // namespace ringside
