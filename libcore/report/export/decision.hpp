#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/views/blocks.hpp"

namespace ringside {

// What a sweep decides for a server or a job, in the form that takes it. What is not decided keeps what is
// there.

// The block that decides: allreduces on GPUs or a described machine, in graphs where there are any, as
// servers run them. `document` must outlive it. Throws UsageError when there is none, or none with NCCL's own
// choice to compare with.
struct DecisionBasis {
  const Document* document = nullptr;
  SweepBlock block;
  std::string reference;  // the entry that is used where nothing is chosen: "nccl-auto"
};
DecisionBasis decision_basis(const Document& document);

// How much faster one entry is than another where it is: in each of at least three launches, beyond 1 %.
struct Margin {
  double ratio = 1;  // other / entry
  double least = 1;  // lower end of the 95 % intervals of all launches
};

// One row beside another.
struct Contest {
  // even: no launch leaves room for more than 2 % to the row's disadvantage. undecided: fewer than three
  // launches, or intervals that reach further.
  enum class Kind { faster, even, slower, undecided, not_measured };
  Kind kind = Kind::not_measured;
  Margin margin{};           // where it is faster
  std::size_t launches = 0;  // that both rows have
};
Contest contest(const Row* row, const Row* other);
// The entry's row beside the reference's.
Contest contest(const DecisionBasis& basis, const SizeLine& line, const std::string& entry);

// Launches without which nothing is decided.
inline constexpr std::size_t kDecidingLaunches = 3;

// Settings without a size hold for large messages too: a sweep that ends below this size decides none.
inline constexpr Bytes kLargeMessage = 16_MiB;

// "1.32x (at least 1.28x)"
std::string margin_text(const Margin& margin);

// The text as comment lines, each with `mark` before it and shorter than kLongestLine.
std::string comment(std::string_view text, std::string_view mark = "# ");
// NCCL's example tuner plug-in reads lines into 256 bytes. What is longer becomes two lines.
inline constexpr std::size_t kLongestLine = 255;  // its newline counts

// Comment lines that say what the decisions are valid for: the machine, its driver and NCCL, ranks, dtype and
// mode, when and by which command they were measured.
std::string validity(const DecisionBasis& basis);

// One form of decisions. Throws UsageError where the sweep can't decide, or there is no such version.
struct DecisionFormat {
  std::string_view name;     // "nccl-tuner"
  std::string_view summary;  // for --help
  bool versioned;            // whether it takes the version of what will read it
  std::string (*render)(const DecisionBasis& basis, std::string_view version);
};
const std::vector<DecisionFormat>& decision_formats();

std::string nccl_tuner_csv(const DecisionBasis& basis);
std::string nccl_environment(const DecisionBasis& basis);
// `framework` names a table of what frameworks support; `version` a version or a day of it, or nothing for
// the newest that was read.
std::string server_settings(const DecisionBasis& basis, const std::string& framework,
                            std::string_view version);

}  // namespace ringside
