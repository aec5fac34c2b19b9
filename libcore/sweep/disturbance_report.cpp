#include "sweep/disturbance_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/duration.hpp"
#include "base/text.hpp"

namespace ringside {
namespace {

constexpr std::size_t kMostEvidence = 8;
constexpr const char* kRounds =
    "no winner is named by them; they count towards a time only where fewer than six rounds were undisturbed";

}  // namespace

Finding cores_shared(int ranks, int cores) {
  return {
      .kind = finding_kind("cores-shared"),
      .severity = Severity::warning,
      .subject = "sweep",
      .message = fmt::format("{} ranks share {} {}: none has a core of its own, and each call waits until "
                             "all had their turn",
                             ranks, cores, cores == 1 ? "core" : "cores"),
      .evidence = {},
      .remedy = fmt::format("read the times as those of ranks that take turns; --ranks {} at most have a "
                            "core each",
                            std::max(cores, 2))};
}

void DisturbanceReport::add(const std::string& group, const Disturbance& disturbance) {
  if (disturbance.rounds > 0) attempts_.push_back({group, disturbance});
}

int DisturbanceReport::count(int Disturbance::*counter) const {
  int sum = 0;
  for (const Counted& attempt : attempts_) sum += attempt.disturbance.*counter;
  return sum;
}

std::vector<std::string> DisturbanceReport::evidence(int Disturbance::*counter) const {
  std::vector<std::string> lines;
  std::vector<std::string> told;
  std::size_t more = 0;
  for (const Counted& attempt : attempts_) {
    if (std::ranges::count(told, attempt.group) > 0) continue;
    told.push_back(attempt.group);
    int disturbed = 0;
    int rounds = 0;
    for (const Counted& same : attempts_) {
      if (same.group != attempt.group) continue;
      disturbed += same.disturbance.*counter;
      rounds += same.disturbance.rounds;
    }
    if (disturbed == 0) continue;
    if (lines.size() < kMostEvidence)
      lines.push_back(fmt::format("{}: {} of {} rounds", attempt.group, disturbed, rounds));
    else
      ++more;
  }
  if (more > 0) lines.push_back(fmt::format("and {} more", more));
  return lines;
}

void DisturbanceReport::add_findings(DeviceKind device, Document& document) const {
  add_busy(document);
  add_throttled(document);
  add_clocks(device, document);
}

void DisturbanceReport::add_busy(Document& document) const {
  const int waited = count(&Disturbance::waited_rounds);
  const int stolen = count(&Disturbance::stolen_rounds);
  if (waited + stolen == 0) return;
  double longest = 0;
  double most_stolen = 0;
  std::optional<int> processes;
  for (const Counted& attempt : attempts_) {
    longest = std::max(longest, attempt.disturbance.core_wait.value_or(0));
    most_stolen = std::max(most_stolen, attempt.disturbance.stolen);
    processes = std::max(processes, attempt.disturbance.busy_processes);  // absent is least
  }
  const int rounds = count(&Disturbance::rounds);
  std::string message;
  if (waited > 0) {
    message = fmt::format("ranks had to wait for their cores in {} of {} rounds, up to {:.0f} % of a turn",
                          waited, rounds, 100 * longest);
    if (processes == 0) message += "; no other process was seen that took a tenth of a core";
    if (processes > 0) {
      message += fmt::format("; {} other {} busy meanwhile", *processes,
                             processes == 1 ? "process was" : "processes were");
    }
  }
  if (stolen > 0) {
    message +=
        fmt::format("{}the hypervisor gave up to {:.0f} % of the cores' time to others, in {} of {} rounds",
                    message.empty() ? "" : "; ", 100 * most_stolen, stolen, rounds);
  }
  std::vector<std::string> lines =
      evidence(waited > 0 ? &Disturbance::waited_rounds : &Disturbance::stolen_rounds);
  lines.insert(lines.begin(), fmt::format("such rounds stay in the result, marked; {}", kRounds));
  add_finding(document, {.kind = finding_kind("machine-busy"),
                         .severity = Severity::warning,
                         .subject = "sweep",
                         .message = std::move(message),
                         .evidence = std::move(lines),
                         .remedy = "end what else runs on this machine, or wait for it, and run it again"});
}

void DisturbanceReport::add_throttled(Document& document) const {
  Throttling all;
  for (const Counted& attempt : attempts_) {
    all.times += attempt.disturbance.throttling.times;
    all.stopped += attempt.disturbance.throttling.stopped;
  }
  if (all.times == 0) return;
  add_finding(document, {.kind = finding_kind("cpu-throttled"),
                         .severity = Severity::warning,
                         .subject = "sweep",
                         .message = fmt::format(
                             "the CPU quota of a control group stopped what runs in it {} {}, for {} "
                             "altogether, while cases were measured",
                             all.times, all.times == 1 ? "time" : "times", format_duration(all.stopped)),
                         .evidence = evidence(&Disturbance::throttled_rounds),
                         .remedy = "raise the quota (cpu.max, docker run --cpus), or use fewer --ranks"});
}

void DisturbanceReport::add_clocks(DeviceKind device, Document& document) const {
  std::optional<Interval> spin;
  std::optional<Interval> sm;
  const auto widen = [](std::optional<Interval>& all, const std::optional<Interval>& one) {
    if (!one) return;
    if (!all) all = one;
    all->low = std::min(all->low, one->low);
    all->high = std::max(all->high, one->high);
  };
  for (const Counted& attempt : attempts_) {
    widen(spin, attempt.disturbance.spin_ns);
    widen(sm, attempt.disturbance.sm_mhz);
  }
  const int moved = count(&Disturbance::clock_rounds);
  if (moved == 0) return;
  const std::string within = fmt::format("within {} of {} rounds", moved, count(&Disturbance::rounds));
  std::string message;
  if (device == DeviceKind::cuda && sm) {
    message =
        fmt::format("the GPUs' SM clocks moved {}: {:.0f} to {:.0f} MHz in all", within, sm->low, sm->high);
  } else if (spin) {
    message = fmt::format(
        "the speed of the ranks' cores moved {}: a fixed loop took {} to {} in all; their clocks changed, or "
        "the same physical cores had other work",
        within, format_time_ns(spin->low), format_time_ns(spin->high));
  } else {
    return;
  }
  add_finding(document, {.kind = finding_kind("clocks-moved"),
                         .severity = Severity::warning,
                         .subject = "sweep",
                         .message = std::move(message),
                         .evidence = evidence(&Disturbance::clock_rounds),
                         .remedy = "fix the clocks, or look at power limit and cooling, and run it again"});
}

}  // namespace ringside
