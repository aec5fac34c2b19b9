#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "model/document.hpp"

namespace ringside::test {

// A Document made by hand, in the state in which a sweep leaves it. `params` holds what the next rows have in
// common.
struct SampleDocument {
  Document document;
  Case params;

  explicit SampleDocument(DeviceKind device = DeviceKind::host, int ranks = 2) {
    params.device = device;
    params.ranks = ranks;
    document.command = "probe-comm";
    document.argv = {"ringside", "probe-comm", "--sizes", "2K:64K:x2"};
    document.started = "2026-03-01T12:00:00Z";
    document.complete = true;
    document.tool = {"0.1.0", "4be1c2f", "GNU 12.2.0", "Release", "13.0", ""};
    document.machine.name = "2 cores AMD EPYC 7B13, 23.4 GiB, Linux 6.1.0";
    document.environment = {{"NCCL_DEBUG", "WARN"}};
    Method method;
    method.seed = 4711;
    method.launches = method.launches_wanted = 3;
    method.rounds_min = 12;
    method.rounds_max = 40;
    method.budget_s = 60;
    method.elapsed_s = 41.27;
    method.stop_reason = "interval";
    method.verification = "every strategy verified before timing and in a burst of calls, two input sets";
    document.method = method;
  }

  // A row without a time. `entry` as in tables: "ring", "ring#2".
  Row& row(const std::string& entry, Bytes bytes, Status status = Status::pass) {
    Row row;
    row.params = params;
    const std::vector<std::string> parts = split(entry, '#');
    row.params.strategy = parts.front();
    row.params.family = split(parts.front(), ':').front();
    row.params.entry = parts.size() > 1 ? std::stoi(parts.back()) - 1 : 0;
    row.params.bytes = bytes;
    row.status = status;
    return document.rows.emplace_back(std::move(row));
  }

  // A row with a time, and an interval that reaches `spread` of the median to either side.
  Row& timed(const std::string& entry, Bytes bytes, double median_us, double spread = 0.01) {
    Row& made = row(entry, bytes);
    const double ns = std::round(median_us * 1e3);
    const double reach = std::round(ns * spread);
    made.time = Statistics{360, ns, Interval{ns - reach, ns + reach}, ns - 5, ns + 2 * reach, ns + 3 * reach};
    made.algbw_gbps = static_cast<double>(bytes.count) / ns;
    made.busbw_gbps = *made.algbw_gbps * 2 * (params.ranks - 1) / params.ranks;
    for (int launch = 0; launch < 3; ++launch) {
      LaunchSamples samples;
      samples.launch = launch;
      samples.samples_ns = {ns - 5, ns, ns + reach};
      samples.first_call_ns = 10 * ns + launch;
      made.launches.push_back(samples);
    }
    return made;
  }

  // A row with neither time nor number, and the Finding that says why.
  Row& untimed(const std::string& entry, Bytes bytes, Status status, Finding finding) {
    Row& made = row(entry, bytes, status);
    if (finding.subject.empty()) finding.subject = case_name(made.params);
    made.findings.push_back(finding.id());
    document.findings.push_back(std::move(finding));
    return made;
  }

  void win(Bytes bytes, const std::string& winner, double ratio) {
    GroupVerdict verdict{
        bytes, params.dtype, params.mode, winner, {}, ratio, Interval{ratio * 0.98, ratio * 1.02}, ""};
    document.verdicts.push_back(verdict);
    note("winner", bytes, winner + " is the fastest");
  }

  void tie(Bytes bytes, std::vector<std::string> tied, std::string reason = "") {
    note("tie", bytes, "no winner can be named");
    document.verdicts.push_back({bytes,
                                 params.dtype,
                                 params.mode,
                                 {},
                                 std::move(tied),
                                 1.004,
                                 Interval{0.99, 1.02},
                                 std::move(reason)});
  }

 private:
  void note(const char* kind, Bytes bytes, std::string message) {
    const std::string subject = format_size(bytes) + " " + std::string(to_string(params.dtype)) + " " +
                                std::string(to_string(params.mode));
    document.findings.push_back({kind, Severity::note, subject, std::move(message), {"3 launches"}, ""});
  }
};

// What a newcomer sees: four strategies on two CPU ranks, winners and one tie.
inline SampleDocument host_sweep() {
  SampleDocument sample;
  struct Times {
    Bytes bytes;
    double ring, tree, custom, symmetric;
  };
  for (const Times& t :
       {Times{2_KiB, 1.831, 1.412, 0.3512, 0.4634}, Times{4_KiB, 1.902, 1.513, 0.3804, 0.3811},
        Times{8_KiB, 2.251, 1.902, 0.5127, 0.6021}, Times{16_KiB, 3.502, 3.011, 0.9014, 1.021},
        Times{32_KiB, 6.113, 5.702, 1.783, 1.604}, Times{64_KiB, 11.51, 10.92, 3.351, 2.963}}) {
    sample.timed("ring", t.bytes, t.ring);
    sample.timed("tree", t.bytes, t.tree, t.bytes == 4_KiB ? 0.12 : 0.02);
    sample.timed("custom", t.bytes, t.custom);
    sample.timed("symmetric", t.bytes, t.symmetric);
    if (t.bytes == 4_KiB) {
      sample.tie(t.bytes, {"custom", "symmetric"});
    } else if (t.custom < t.symmetric) {
      sample.win(t.bytes, "custom", t.symmetric / t.custom);
    } else {
      sample.win(t.bytes, "symmetric", t.custom / t.symmetric);
    }
  }
  return sample;
}

// A bad day: an interrupted sweep with a lost rank, a hang, wrong data and skipped cases.
inline SampleDocument troubled_sweep() {
  SampleDocument sample;
  sample.document.complete = false;
  sample.document.method->stop_reason = "interrupted";
  sample.document.method->launches = 1;
  for (const Bytes bytes : {2_KiB, 4_KiB, 8_KiB}) {
    const bool small = bytes == 2_KiB, large = bytes == 8_KiB;
    if (small) {
      sample.untimed("ring", bytes, Status::failed,
                     {"rank-lost",
                      Severity::error,
                      "",
                      "rank 1 was killed by signal 9 in phase timing",
                      {"rank 0 waited for rank 1", "stderr of rank 1: \x1b[31mno memory\x1b[0m"},
                      "look into dmesg for the out-of-memory killer"});
    } else {
      sample.timed("ring", bytes, 1.9);
    }
    if (large) {
      sample.row("tree", bytes, Status::skipped).findings = {"timeout:tree"};
    } else {
      sample.row("tree", bytes, Status::timeout).findings = {"timeout:tree"};
    }
    if (large) {
      sample.untimed("custom", bytes, Status::failed,
                     {"wrong-data",
                      Severity::error,
                      "",
                      "element 17 is 3.5 and must be 4",
                      {"input set A, rank 1"},
                      ""});
    } else {
      sample.timed("custom", bytes, 0.38, 0.4).time->interval95_ns.reset();
    }
    sample.untimed("nvls", bytes, Status::skipped,
                   {"not-admitted",
                    Severity::note,
                    "",
                    "multicast needs NVLink",
                    {"links: none"},
                    "run on another box"});
    if (small) sample.tie(bytes, {}, "nothing to compare with");
    if (bytes == 4_KiB) sample.tie(bytes, {"custom", "ring"}, "needs 3 launches");
  }
  sample.document.findings.push_back(
      {"timeout", Severity::error, "tree", "no answer in 10 s, twice", {}, ""});
  sample.document.findings.push_back(
      {"pinning", Severity::warning, "", "2 ranks share 1 core", {"cores: 1"}, ""});
  return sample;
}

}  // namespace ringside::test
