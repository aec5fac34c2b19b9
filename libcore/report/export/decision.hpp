#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/views/blocks.hpp"

namespace ringside {

// What a sweep decides for a server or a job, in the form that takes it. Ties keep what is there.

// The block that decides: allreduces on GPUs or a described machine, in graphs where there are any, as
// servers run them. `document` must outlive it. Throws UsageError when there is none, or none with NCCL's own
// choice to compare with.
struct DecisionBasis {
  const Document* document = nullptr;
  SweepBlock block;
  std::string reference;  // the entry that is used where nothing is chosen: "nccl-auto"
};
DecisionBasis decision_basis(const Document& document);

// How much faster than the reference an entry is at a size, when it is: in each of at least three launches,
// beyond 1 %.
struct Margin {
  double ratio = 1;  // reference / entry
  double least = 1;  // lower end of the 95 % intervals of all launches
};
std::optional<Margin> margin(const DecisionBasis& basis, const SizeLine& line, const std::string& entry);
// Whether the reference is that much faster than the entry.
bool loses(const DecisionBasis& basis, const SizeLine& line, const std::string& entry);

// "1.32x (at least 1.28x)"
std::string margin_text(const Margin& margin);

// Comment lines that say what the decisions are valid for: the machine, its driver and NCCL, ranks, dtype and
// mode, when and by which command they were measured; each with `mark` before it.
std::string validity(const DecisionBasis& basis, std::string_view mark = "# ");

// One form of decisions. Throws UsageError where the sweep can't decide.
struct DecisionFormat {
  std::string_view name;     // "nccl-tuner"
  std::string_view summary;  // for --help
  std::string (*render)(const DecisionBasis& basis);
};
const std::vector<DecisionFormat>& decision_formats();

std::string nccl_tuner_csv(const DecisionBasis& basis);
std::string nccl_environment(const DecisionBasis& basis);
std::string sglang_settings(const DecisionBasis& basis);
std::string vllm_settings(const DecisionBasis& basis);

}  // namespace ringside
