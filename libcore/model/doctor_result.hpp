#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "model/enum_names.hpp"
#include "model/field_range.hpp"
#include "model/finding_kinds.hpp"

namespace ringside {

// What a check came to. not_known is no failure and no success: nobody looked, or nobody could.
enum class CheckResult { ok, not_ok, not_known };

template <>
struct EnumNames<CheckResult> {
  static constexpr std::string_view what = "check result";
  static constexpr std::string_view names[] = {"ok", "not-ok", "not-known"};
};

// How far a claim was followed: the driver says so; memory was allocated; data were copied; a handshake of
// resident kernels held; a collective summed right.
enum class Rung { none, claimed, allocated, moved, held, summed };

template <>
struct EnumNames<Rung> {
  static constexpr std::string_view what = "rung";
  static constexpr std::string_view names[] = {"none", "claimed", "allocated", "moved", "held", "summed"};
};

// One fact about a box. Values are texts: numbers are written so that they read back.
struct BoxFact {
  std::string name;                  // "gpu.0.bar1_bytes"
  std::optional<std::string> value;  // nothing: not known
  std::string reason;                // why it is not known; empty where it is
};

template <typename Fields>
void describe(Fields& fields, const BoxFact*) {
  fields.record("box_fact", "One fact about a box.");
  fields.add("name", &BoxFact::name, "Its name, such as 'gpu.0.bar1_bytes'.").not_empty();
  fields.add("value", &BoxFact::value, "As text; null: not known.");
  fields.add("reason", &BoxFact::reason, "Why it is not known; empty where it is.");
}

// What one check says about one subject.
struct CheckOutcome {
  std::string check;
  std::string subject;  // "GPU 3"; empty: the box
  CheckResult result = CheckResult::not_known;
  Severity severity = Severity::note;  // of a result that is not ok: warning is a hint
  Rung rung = Rung::none;
  std::string sentence;
  std::vector<std::string> evidence;
  std::string remedy;

  // "gpu-errors, GPU 3": unique among the outcomes of a box where a check says one thing of a subject.
  std::string name() const { return subject.empty() ? check : check + ", " + subject; }
};

template <typename Fields>
void describe(Fields& fields, const CheckOutcome*) {
  fields.record("check_outcome", "What one check says about one subject.");
  fields.add("check", &CheckOutcome::check, "Its name; `ringside list checks` has them all.").not_empty();
  fields.add("subject", &CheckOutcome::subject, "Such as 'GPU 3'; empty: the box.");
  fields.add("result", &CheckOutcome::result, "not-known: nobody looked, or nobody could.");
  fields.add("severity", &CheckOutcome::severity,
             "Of a result that is not ok: error where the very call of a server fails, warning for a hint.");
  fields.add("rung", &CheckOutcome::rung, "How far the claim was followed; none where there is no ladder.");
  fields.add("sentence", &CheckOutcome::sentence, "What is so, or why it is not known.");
  fields.add("evidence", &CheckOutcome::evidence, "What it rests on.");
  fields.add("remedy", &CheckOutcome::remedy, "What to do, with a command where there is one; may be empty.");
}

// Which path a call is expected to take, by the rules of a library or a server. Nothing of it was tried.
struct PathPrediction {
  std::string by;                   // "NCCL 2.28.9", "vLLM 0.20.0 of 2026-05-02"
  std::string subject;              // "GPU 0 -> GPU 1", "16K bf16 graph, 8 ranks"
  std::string path;                 // that is taken; empty: not known
  std::string because;              // the rule, or what would have to be known
  std::vector<std::string> others;  // each other one, and why it is out
};

template <typename Fields>
void describe(Fields& fields, const PathPrediction*) {
  fields.record("path_prediction", "Which path a call is expected to take; nothing of it was tried.");
  fields.add("by", &PathPrediction::by, "Whose rules.");
  fields.add("subject", &PathPrediction::subject, "A pair of GPUs, or a call.");
  fields.add("path", &PathPrediction::path, "That is taken; empty: not known.");
  fields.add("because", &PathPrediction::because, "The rule, or what would have to be known.");
  fields.add("others", &PathPrediction::others, "Each other one, and why it is out.");
}

struct DoctorResult {
  std::string source;  // where the facts come from: "this box", or a file
  std::vector<CheckOutcome> outcomes;
  std::vector<PathPrediction> predictions;
  std::vector<BoxFact> facts;
};

template <typename Fields>
void describe(Fields& fields, const DoctorResult*) {
  fields.record("doctor", "What doctor found.");
  fields.add("source", &DoctorResult::source, "Where the facts come from: 'this box', or a file.");
  fields.add("outcomes", &DoctorResult::outcomes, "Of the checks, worst first.");
  fields.add("predictions", &DoctorResult::predictions, "Which paths calls are expected to take.");
  fields.add("facts", &DoctorResult::facts, "All that the checks go by.");
}

}  // namespace ringside
