#include "run/doctor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "doctor/check.hpp"
#include "doctor/collect.hpp"
#include "doctor/serving.hpp"
#include "doctor/transport.hpp"
#include "launch/gpu_survey_child.hpp"
#include "machine/fingerprint.hpp"
#include "run/run_document.hpp"

namespace ringside {
namespace {

constexpr std::size_t kMostFacts = 64u << 20;

BoxFacts look_at_this_box(const DoctorOptions& options) {
  BoxFacts facts;
  const RootFiles files(options.host_root.value_or("/"));
  collect_files(files, facts);
  if (options.host_root) {  // another box's files: what is tried here says nothing of it
    for (const char* name :
         {"gpus.count", "limit.memlock", "limit.nofile", "shm.free_bytes", "net.host_name", "net.interfaces",
          "probe.take_descriptor", "probe.bind_memory", "tmpdir.socket", "python.folders", "lib.cuda",
          "driver.version", "cpus.allowed", "environment.read"})
      facts.not_known(name, "not looked at: --host-root has files alone");
    return facts;
  }
  collect_process(facts);
  collect_network(facts);
  collect_libraries(facts);
  std::string problem;
  const std::unique_ptr<Nvml> nvml = Nvml::open(&problem);
  collect_gpus(ask_gpu_survey(options.nccl_library), nvml.get(), problem, files, facts);
  return facts;
}

void add_findings(const CheckOutcomes& outcomes, Document& document) {
  for (const CheckOutcome& outcome : outcomes) {
    if (outcome.result != CheckResult::not_ok) continue;
    const bool error = outcome.severity == Severity::error;
    Finding finding{.kind = error ? finding_kind("box-error") : finding_kind("box-hint"),
                    .severity = outcome.severity,
                    .subject = outcome.name(),
                    .message = outcome.sentence,
                    .evidence = outcome.evidence,
                    .remedy = outcome.remedy};
    add_finding(document, std::move(finding));
  }
}

// The worst of what a check says of a subject, by check and subject.
std::map<std::string, const CheckOutcome*> by_key(const DoctorResult& box) {
  std::map<std::string, const CheckOutcome*> found;
  for (const CheckOutcome& outcome : box.outcomes) found.try_emplace(outcome.name(), &outcome);
  return found;
}

std::string said(const CheckOutcome* outcome) {
  return outcome == nullptr ? "nothing is said" : outcome->sentence;
}

bool is_error(const CheckOutcome* outcome) {
  return outcome != nullptr && outcome->result == CheckResult::not_ok && outcome->severity == Severity::error;
}

// What every box has for itself: it says nothing that two boxes differ there.
bool is_a_name(const std::string& fact) {
  for (const char* end : {".uuid", "net.host_name", "net.host_addresses", ".processes", ".used_bytes",
                          "shm.free_bytes", ".ecc_uncorrected"})
    if (fact.ends_with(end)) return true;
  return false;
}

}  // namespace

void DoctorOptions::check() const {
  if (facts && host_root) throw UsageError("--facts and --host-root contradict each other");
  if (served_by && !command.empty()) throw UsageError("--for and a command contradict each other");
  if (facts && !nccl_library.empty())
    throw UsageError("--nccl-lib is of this box, and --facts is of another");
}

std::vector<std::string> DoctorOptions::inputs() const {
  return facts ? std::vector<std::string>{*facts} : std::vector<std::string>{};
}

ExitCode run_doctor(const DoctorOptions& options, Document& document) {
  DoctorResult result;
  BoxFacts facts;
  if (options.facts) {
    facts = read_box_facts(read_input(*options.facts, kMostFacts), *options.facts);
    result.source = *options.facts;
  } else {
    facts = look_at_this_box(options);
    result.source = options.host_root ? "the files below " + *options.host_root : "this box";
    document.machine = fingerprint_host(RootFiles(options.host_root.value_or("/")));
  }
  result.outcomes = judge_box(facts);
  result.predictions = predict_transports(facts);
  if (options.served_by || !options.command.empty()) {
    const ServedBy server =
        options.served_by ? parse_served_by(*options.served_by) : served_by_command(options.command, facts);
    for (PathPrediction& path : predict_paths(server, facts)) result.predictions.push_back(std::move(path));
  }
  result.facts = facts.list();
  add_findings(result.outcomes, document);
  document.doctor = std::move(result);
  document.complete = true;
  return box_exit_code(document, options.fail_on);
}

void compare_boxes(std::span<const Document> documents, const std::vector<std::string>& files,
                   Document& result) {
  if (documents.size() != 2 || !documents[0].doctor || !documents[1].doctor)
    throw UsageError("results of doctor are compared with each other, two of them");
  const auto before = by_key(*documents[0].doctor);
  const auto after = by_key(*documents[1].doctor);
  std::map<std::string, std::pair<const CheckOutcome*, const CheckOutcome*>> both;
  for (const auto& [key, outcome] : before) both[key].first = outcome;
  for (const auto& [key, outcome] : after) both[key].second = outcome;
  DoctorResult differences;
  differences.source = files[0] + " beside " + files[1];
  const auto add = [&](const FindingKind& kind, Severity severity, const std::string& subject,
                       const std::string& one, const std::string& other, const std::string& remedy) {
    add_finding(result, {.kind = kind,
                         .severity = severity,
                         .subject = subject,
                         .message = fmt::format("{}: {}; {}: {}", files[0], one, files[1], other),
                         .evidence = {},
                         .remedy = remedy});
  };
  for (const auto& [key, sides] : both) {
    const auto& [one, other] = sides;
    if (is_error(one) != is_error(other)) {
      add(finding_kind("box-differs-in-error"), Severity::error, key, said(one), said(other),
          is_error(one) ? one->remedy : other->remedy);
    } else if ((one == nullptr ? CheckResult::not_known : one->result) !=
               (other == nullptr ? CheckResult::not_known : other->result)) {
      const CheckOutcome* const worse = one != nullptr && one->result == CheckResult::not_ok ? one : other;
      add(finding_kind("box-differs"), Severity::warning, key, said(one), said(other),
          worse == nullptr ? "" : worse->remedy);
    }
  }
  const BoxFacts facts = box_facts(documents[0].doctor->facts);
  const BoxFacts others = box_facts(documents[1].doctor->facts);
  std::map<std::string, std::pair<std::string, std::string>> values;
  for (const BoxFact& fact : facts.list()) values[fact.name].first = fact.value.value_or("not known");
  for (const BoxFact& fact : others.list()) values[fact.name].second = fact.value.value_or("not known");
  for (const auto& [name, sides] : values) {
    if (sides.first == sides.second || is_a_name(name)) continue;
    add(finding_kind("box-differs"), Severity::note, name, sides.first.empty() ? "nothing" : sides.first,
        sides.second.empty() ? "nothing" : sides.second, "");
  }
  result.doctor = std::move(differences);
  result.complete = true;
}

ExitCode box_exit_code(const Document& document, FailOnBox fail_on) {
  const std::vector<CheckOutcome>& outcomes = document.doctor->outcomes;
  const bool nothing = !outcomes.empty() && std::ranges::all_of(outcomes, [](const CheckOutcome& outcome) {
    return outcome.result == CheckResult::not_known;
  });
  if (nothing) return ExitCode::environment;
  if (fail_on == FailOnBox::none) return ExitCode::ok;
  const auto fails = [fail_on](const Finding& finding) {
    return finding.severity == Severity::error ||
           (fail_on != FailOnBox::error && finding.severity == Severity::warning);
  };
  if (std::ranges::any_of(document.findings, fails)) return ExitCode::regression;
  const bool unknown = std::ranges::any_of(
      outcomes, [](const CheckOutcome& outcome) { return outcome.result == CheckResult::not_known; });
  return fail_on == FailOnBox::unknown && unknown ? ExitCode::regression : ExitCode::ok;
}

}  // namespace ringside
