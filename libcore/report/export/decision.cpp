#include "report/export/decision.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "report/views/headline.hpp"
#include "sweep/group_verdict.hpp"

namespace ringside {
namespace {

constexpr const char* kReference = "nccl-auto";
constexpr double kEven = 0.98;
constexpr std::size_t kCommentWidth = 118;  // bytes, without the mark

// Those in which both took turns.
std::size_t common_launches(const Row& a, const Row& b) {
  return static_cast<std::size_t>(std::ranges::count_if(a.launches, [&](const LaunchSamples& one) {
    const auto same = std::ranges::find(b.launches, one.launch, &LaunchSamples::launch);
    return !one.samples_ns.empty() && same != b.launches.end() && !same->samples_ns.empty() &&
           same->turn_group == one.turn_group;
  }));
}

// Where a text of more than `width` bytes is broken: at a blank, else between two characters.
std::size_t break_at(std::string_view text, std::size_t width) {
  if (const std::size_t blank = text.substr(0, width + 1).rfind(' ');
      blank != std::string_view::npos && blank > 0)
    return blank;
  std::size_t at = width;
  while (at > 1 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
  return at;
}

}  // namespace

DecisionBasis decision_basis(const Document& document) {
  DecisionBasis basis{.document = &document, .block = {}, .reference = kReference};
  bool found = false;
  for (SweepBlock& block : sweep_blocks(document)) {
    const bool usable = block.collective == Collective::allreduce &&
                        std::ranges::find(block.entries, basis.reference) != block.entries.end();
    if (!usable || (found && (basis.block.mode == Mode::graph || block.mode != Mode::graph))) continue;
    basis.block = std::move(block);
    found = true;
  }
  if (!found)
    throw UsageError(fmt::format(
        "there is nothing to decide: no allreduce was measured with {} beside others", basis.reference));
  return basis;
}

Contest contest(const Row* row, const Row* other) {
  if (!has_result(row) || !has_result(other)) return {};
  const RatioVerdict verdict = judge_pair(*row, *other);
  Contest result{.kind = Contest::Kind::undecided,
                 .margin = {.ratio = verdict.ratio, .least = verdict.ratio},
                 .launches = common_launches(*row, *other)};
  bool known = verdict.launch_intervals.size() >= kDecidingLaunches;
  for (const auto& interval : verdict.launch_intervals) {
    known = known && interval.has_value();
    if (interval) result.margin.least = std::min(result.margin.least, interval->low);
  }
  if (verdict.kind == RatioVerdict::Kind::a_wins) result.kind = Contest::Kind::faster;
  if (verdict.kind == RatioVerdict::Kind::b_wins) result.kind = Contest::Kind::slower;
  if (verdict.kind == RatioVerdict::Kind::tie && known && result.margin.least >= kEven)
    result.kind = Contest::Kind::even;
  return result;
}

Contest contest(const DecisionBasis& basis, const SizeLine& line, const std::string& entry) {
  return contest(basis.block.row(line, entry), basis.block.row(line, basis.reference));
}

std::string margin_text(const Margin& margin) {
  return fmt::format("{}x (at least {}x)", format_three_digits(margin.ratio),
                     format_three_digits(margin.least));
}

std::string comment(std::string_view text, std::string_view mark) {
  const std::string shown = printable(text);
  std::string_view rest = shown;
  std::string lines;
  for (std::string_view indent = ""; !rest.empty(); indent = "  ") {
    const std::size_t end = rest.size() <= kCommentWidth ? rest.size() : break_at(rest, kCommentWidth);
    lines.append(mark).append(indent).append(rest.substr(0, end)) += '\n';
    rest.remove_prefix(end);
    while (rest.starts_with(' ')) rest.remove_prefix(1);
  }
  return lines;
}

std::string validity(const DecisionBasis& basis) {
  const Document& document = *basis.document;
  std::string text = comment("made by ringside report --export; valid for this box alone:") +
                     comment("machine  " + document.machine.name);
  for (const auto& [name, value] : document.machine.facts) {
    const bool counts = name == "driver" || name == "cuda_driver" || name == "nccl" ||
                        name.ends_with("_name") || name.ends_with("_link") ||
                        name.find("_to_gpu") != std::string::npos;
    if (counts) text += comment(fmt::format("{:<8} {}", name, value));
  }
  text += comment(fmt::format("cases    {} on {}, {} ranks", basis.block.name(),
                              to_string(basis.block.device), basis.block.ranks));
  text += comment("method   " + method_line(document));
  text += comment(fmt::format("measured {} by {}", document.started, join(document.argv, " ")));
  return text +
         comment(
             "A choice is faster beyond 1 % in each of three launches or more. Whatever is not decided "
             "keeps what is there.");
}

const std::vector<DecisionFormat>& decision_formats() {
  static const std::vector<DecisionFormat> formats = {
      {"nccl-tuner", "the CSV of NCCL's example tuner plug-in", false,
       [](const DecisionBasis& basis, std::string_view) { return nccl_tuner_csv(basis); }},
      {"env", "NCCL's variables for allreduces, where one setting wins and never loses", false,
       [](const DecisionBasis& basis, std::string_view) { return nccl_environment(basis); }},
      {"sglang", "what to set so that SGLang takes a faster way, of its version (sglang@0.5.9) or day", true,
       [](const DecisionBasis& basis, std::string_view version) {
         return server_settings(basis, "sglang", version);
       }},
      {"vllm", "what to set so that vLLM takes a faster way, of its version (vllm@0.12.0) or day", true,
       [](const DecisionBasis& basis, std::string_view version) {
         return server_settings(basis, "vllm", version);
       }},
  };
  return formats;
}

}  // namespace ringside
