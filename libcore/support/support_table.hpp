#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenario/catalogue.hpp"
#include "support/rule.hpp"

namespace ringside {

// A kernel of a path that has several: the first whose rules hold is taken.
struct SupportKernel {
  std::string name;      // "one-shot pull"
  std::string stand_in;  // the family of ringside's strategies that does the same; empty: none does
  std::vector<SupportRule> rules;
};

// One way that a framework may send an allreduce.
struct SupportPath {
  std::string name;      // "custom-v2"
  std::string title;     // for people
  std::string source;    // the files that its rules were read from, below the table's
  std::string stand_in;  // as that of a kernel; of paths without kernels
  std::string
      stand_in_unless_ran;  // what the framework switches off in NCCL: a row that ran it stands for nothing
  Period period;            // when it is there at all
  std::vector<SupportRule> rules;
  std::vector<SupportKernel> kernels;
};

// Something about a call or a server that no machine shows.
struct SupportFact {
  std::string name;
  std::string title;            // "whether ..."
  std::optional<bool> assumed;  // what to take it for where nobody says; none: it stays unknown
};

// A switch that a user may set.
struct SupportOption {
  std::string name;   // "VLLM_USE_NCCL_SYMM_MEM", "--enable-symm-mem"
  std::string value;  // "on" for a flag without a value
  Period period;
  std::string cost;  // what it does beside choosing a path, for people; empty: nothing that is known
};

// What one framework's allreduces go by. Paths stand in the order in which the framework asks them.
struct SupportTable {
  std::string framework;  // "vllm"
  std::string title;      // "vLLM"
  std::string source;     // the folder of the sources
  bool chooses = true;    // false: its caller chooses among the paths, each of which stands for itself
  std::vector<ReadEdition> editions;  // ascending dates, not empty
  std::vector<SupportFact> facts;
  std::vector<SupportPath> paths;
  std::vector<SupportOption> options;

  const SupportPath* path(const std::string& name) const;  // null: there is none
};

// Throws UsageError with the place.
SupportTable read_support_table(const ScenarioText& text);

// A built-in table by its framework's name. Throws UsageError that lists the names.
SupportTable find_support_table(const std::string& framework);
std::vector<SupportTable> list_support_tables();

}  // namespace ringside
