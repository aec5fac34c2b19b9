#pragma once

#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "run/spec_options.hpp"
#include "run/spec_place.hpp"
#include "spec/inquiry.hpp"

namespace ringside {

// Calls `parse`; what it throws says which option it is about.
template <typename Parse>
auto of_option(const char* option, Parse parse) {
  try {
    return parse();
  } catch (const UsageError& problem) {
    throw UsageError(fmt::format("{}: {}", option, problem.what()));
  }
}

// "moonshotai/Kimi-K2.5" -> "kimi-k2.5"
std::string bare_name(const std::string& path);

// What is known of a server beside its model.
struct ServerFacts {
  const ServerPlace& place;
  const LoggedArguments& arguments;
  std::string software;      // whose lines were read: "SGLang", "vLLM"; empty: not known
  bool draft_named = false;  // somebody said how it drafts
};

// Sets inquiry.workload, all but its allreduce, and adds what had to be taken to inquiry.assumptions. Throws
// UsageError for an option that can't be.
void build_workload(const SpecOptions& options, const ServerFacts& server, Inquiry& inquiry);

}  // namespace ringside
