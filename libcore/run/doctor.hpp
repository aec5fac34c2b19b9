#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/exit_code.hpp"
#include "model/document.hpp"

namespace ringside {

// From which result of a check on the command fails.
enum class FailOnBox { none, error, hint, unknown };

// What `doctor` is asked for.
struct DoctorOptions {
  std::optional<std::string> facts;      // a file with facts, in place of this box
  std::optional<std::string> host_root;  // a folder that holds another box's /proc, /sys and /etc
  std::optional<std::string> served_by;  // "vllm@0.20"
  std::vector<std::string> command;      // a server's, which is read and never started
  std::string nccl_library;              // as of probe-comm
  FailOnBox fail_on = FailOnBox::error;

  void check() const;  // throws UsageError when they contradict each other
  std::vector<std::string> inputs() const;
};

// Looks at the box, or reads facts, and fills document.doctor and its Findings. Status 3 where nothing could
// be looked at, 6 as fail_on says. Throws UsageError.
ExitCode run_doctor(const DoctorOptions& options, Document& document);

// What differs between two results of doctor, as Findings of `result`: an error where a check finds one on
// one box only, a warning where checks say otherwise of the two, a note for other facts. Throws UsageError
// where there are not two results of doctor.
void compare_boxes(std::span<const Document> documents, const std::vector<std::string>& files,
                   Document& result);

ExitCode box_exit_code(const Document& document, FailOnBox fail_on);

}  // namespace ringside
