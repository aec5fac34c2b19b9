#include "run/beside_published.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "machine/published.hpp"

namespace ringside {
namespace {

constexpr std::string_view kStrategy = "nccl-auto";

std::string fact(const Document& document, std::string_view name) {
  const auto found = std::ranges::find(document.machine.facts, name,
                                       [](const auto& fact) { return std::string_view(fact.first); });
  return found == document.machine.facts.end() ? "" : found->second;
}

// The name that all GPUs of the ranks have; empty where they have several, or none is known.
std::string gpu_name(const Document& document) {
  const int ranks = document.request ? document.request->ranks : 0;
  std::set<std::string> names;
  for (int rank = 0; rank < ranks; ++rank) names.insert(fact(document, fmt::format("gpu{}_name", rank)));
  return names.size() == 1 ? *names.begin() : "";
}

bool as_it_comes(const SweepRequest& request) {
  return request.device == DeviceKind::cuda && request.slowdowns.empty() &&
         request.input == InputState::warm && !request.profile;
}

bool comparable(const Row& row, Mode mode) {
  return row.params.strategy == kStrategy && row.params.collective == Collective::allreduce &&
         row.params.mode == mode && row.params.entry == 0 && element_size(row.params.dtype) == 2 &&
         row.origin == Origin::measured && row.status == Status::pass && row.time &&
         row.time->median_ns > 0 && row.time->median_ns < *ranges::kTime.most;
}

PublishedComparison& comparison_of(Document& document, const PublishedTable& table, const Row& row) {
  const auto found = std::ranges::find(document.published, row.params.dtype, &PublishedComparison::dtype);
  if (found != document.published.end()) return *found;
  const PublishedTables& tables = published_tables();
  return document.published.emplace_back(
      PublishedComparison{.gpu = table.gpu,
                          .gpus = table.gpus,
                          .library = table.library,
                          .version = table.version,
                          .version_here = fact(document, "nccl"),
                          .source = fmt::format("{} of {}", tables.source, tables.date),
                          .strategy = row.params.strategy,
                          .dtype = row.params.dtype,
                          .mode = row.params.mode,
                          .points = {}});
}

// What this run knows of the reasons that such a time usually has.
std::vector<std::string> seen_here(const Document& document) {
  std::vector<std::string> seen;
  for (const auto& [name, value] : document.environment) {
    if (name.starts_with("NCCL_") && name != "NCCL_VERSION")
      seen.push_back(fmt::format("set: {}={}", name, value));
  }
  for (const auto& [name, value] : document.machine.facts) {
    if (name.ends_with("_other_processes"))
      seen.push_back(fmt::format("{} runs other processes: {}", name.substr(0, name.find('_')), value));
    if (name.find("_to_gpu") != std::string::npos && value == "no access")
      seen.push_back(fmt::format("{}: no access to its memory", name));
  }
  for (const Finding& finding : document.findings) {
    if (finding.kind == finding_kind("clocks-held")) seen.push_back(finding.message);
  }
  return seen;
}

// "16K: 61.0 us here (RING/LL), 18.3 us published: 3.33 times"
std::string times_of(const Document& document, const PublishedComparison& comparison,
                     const PublishedPoint& point) {
  const auto row = std::ranges::find_if(document.rows, [&](const Row& candidate) {
    return comparable(candidate, comparison.mode) && candidate.params.dtype == comparison.dtype &&
           candidate.params.bytes == point.bytes;
  });
  const bool known = row != document.rows.end() && row->ran;
  return fmt::format("{}: {} us here{}, {} us published{}: {} times", format_size(point.bytes),
                     format_three_digits(point.here_ns / 1e3), known ? " (" + *row->ran + ")" : "",
                     format_three_digits(point.published_ns / 1e3),
                     point.interpolated ? " (between two sizes)" : "", format_three_digits(point.ratio()));
}

void judge(Document& document, const PublishedComparison& comparison) {
  std::vector<PublishedPoint> far;
  for (const PublishedPoint& point : comparison.points) {
    if (point.ratio() > kFarFromPublished) far.push_back(point);
  }
  if (far.empty()) return;
  const PublishedPoint& worst = *std::ranges::max_element(far, {}, &PublishedPoint::ratio);
  const std::string subject =
      fmt::format("{} {} {}", comparison.strategy, to_string(comparison.dtype), to_string(comparison.mode));
  Finding finding{
      .kind = finding_kind("slower-than-published"),
      .severity = Severity::warning,
      .subject = subject,
      .message =
          fmt::format("{} takes up to {} times what is published for {} x {} (at {}; beyond {:g} times "
                      "at {} of {} sizes)",
                      subject, format_three_digits(worst.ratio()), comparison.gpus, comparison.gpu,
                      format_size(worst.bytes), kFarFromPublished, far.size(), comparison.points.size()),
      .evidence = {},
      .remedy =
          "another server may be wired differently; else look for the usual reasons, as far as the evidence "
          "does not name them: multicast (NVLS) off, peer access off, PCIe ACS or a translating IOMMU "
          "between "
          "the GPUs, other work on them, an algorithm or a protocol that NCCL_* or nccl.conf forces"};
  for (const PublishedPoint& point : far) finding.evidence.push_back(times_of(document, comparison, point));
  finding.evidence.push_back(
      fmt::format("published: {} {}, {}; here {}", comparison.library, comparison.version, comparison.source,
                  comparison.version_here.empty() ? "not known" : comparison.version_here));
  for (std::string& seen : seen_here(document)) finding.evidence.push_back(std::move(seen));
  add_finding(document, std::move(finding));
}

}  // namespace

void set_beside_published(Document& document) {
  document.published.clear();
  if (!document.request || !as_it_comes(*document.request)) return;
  const PublishedTables& tables = published_tables();
  const PublishedTable* const table = tables.find(gpu_name(document), document.request->ranks, "NCCL");
  if (table == nullptr) return;
  for (const Row& row : document.rows) {
    if (!comparable(row, tables.mode)) continue;
    const auto published = published_time(*table, row.params.bytes);
    if (!published) continue;
    comparison_of(document, *table, row)
        .points.push_back(
            {row.params.bytes, published->time_ns, published->interpolated, row.time->median_ns});
  }
  for (PublishedComparison& comparison : document.published) {
    std::ranges::sort(comparison.points, {}, &PublishedPoint::bytes);
    judge(document, comparison);
  }
}

}  // namespace ringside
