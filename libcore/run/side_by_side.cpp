#include "run/side_by_side.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "base/run_to_end.hpp"
#include "base/signals.hpp"
#include "base/text.hpp"
#include "sweep/sweep.hpp"

namespace ringside {
namespace {

constexpr const char* kThisBuild = "/proc/self/exe";
constexpr std::chrono::minutes kPatience{10};  // beyond its budget, before a build counts as hung

struct BothSides {
  ComparisonSide base;
  ComparisonSide now;
};

std::string list_of(const auto& values, auto text) {
  std::vector<std::string> words;
  for (const auto& value : values) words.push_back(text(value));
  return join(words, ",");
}

double seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

// The options with which a build of ringside measures the request: all that it says but launches, budget and
// seed, so that neither a scenario nor another build's defaults have a part. An option at its default is left
// out where an older build may not have it.
std::vector<std::string> request_options(const SweepRequest& request) {
  const CaseSet& set = request.first();
  std::vector<std::string> words;
  const auto add = [&](const char* name, std::string value) {
    words.insert(words.end(), {name, std::move(value)});
  };
  const auto name = [](auto value) { return std::string(to_string(value)); };
  add("--device", name(request.device));
  add("--ranks", std::to_string(request.ranks));
  if (set.collective != Collective::allreduce) add("--collective", name(set.collective));
  add("--strategy", join(set.strategies, ","));
  add("--sizes", list_of(set.sizes, [](Bytes size) { return std::to_string(size.count); }));
  add("--dtype", list_of(set.dtypes, name));
  add("--mode", list_of(set.modes, name));
  if (!set.load.empty())
    add("--load", list_of(set.load, [](double share) { return fmt::format("{}", share); }));
  add("--rounds", std::to_string(request.max_rounds));
  add("--min-rounds", std::to_string(request.min_rounds));
  add("--ops-per-graph", std::to_string(request.calls_per_sample));
  add("--timeout", fmt::format("{:.3f}", seconds(request.turn_timeout)));
  if (!request.gpus.empty()) add("--gpus", join(request.gpus, ","));
  if (!request.nccl_library.empty()) add("--nccl-lib", request.nccl_library);
  if (request.cold_input) add("--input", "cold");
  if (request.skew.count() > 0)
    add("--skew",
        std::to_string(std::chrono::duration_cast<std::chrono::microseconds>(request.skew).count()));
  return words;
}

class SideBySide {
 public:
  SideBySide(std::string against, const SweepRequest& request, RunMonitor& monitor)
      : against_(std::move(against)),
        request_(request),
        monitor_(monitor),
        seed_(request.seed),
        base_options_(request_options(request)),
        new_options_(base_options_) {
    for (const auto& [strategy, factor] : request.slowdowns)  // of this build alone
      new_options_.insert(new_options_.end(), {"--inject-slowdown", fmt::format("{}={}", strategy, factor)});
  }

  // `sizes`: in the place of those that were asked for; empty: those. Nothing after an interruption.
  std::optional<BothSides> measure(const std::set<Bytes>& sizes, const char* what) {
    std::vector<Document> base, now;
    for (int launch = 0; launch < request_.launches; ++launch) {
      monitor_.note(fmt::format("{}: launch {} of {}, both builds", what, launch + 1, request_.launches));
      const auto run_base = [&] { base.push_back(run(against_, base_options_, sizes)); };
      if (launch % 2 == 0) run_base();
      if (!interrupt_requested()) now.push_back(run(kThisBuild, new_options_, sizes));
      if (launch % 2 != 0 && !interrupt_requested()) run_base();
      if (interrupt_requested()) return std::nullopt;
      ++seed_;
    }
    return BothSides{make_side(std::move(base), {against_}, false),
                     make_side(std::move(now), {"this build"}, false)};
  }

 private:
  // One launch, with the same order and data for both builds.
  Document run(const std::string& binary, const std::vector<std::string>& options,
               const std::set<Bytes>& sizes) const {
    const auto budget = request_.budget / (2 * request_.launches);
    std::vector<std::string> argv = {binary, "probe-comm"};
    argv.insert(argv.end(), options.begin(), options.end());
    for (const std::string& word :
         {std::string("--launches"), std::string("1"), std::string("--budget"),
          fmt::format("{:.3f}", std::max(0.1, seconds(budget))), std::string("--seed"), std::to_string(seed_),
          std::string("--quiet"), std::string("--json"), std::string("-")})
      argv.push_back(word);
    if (!sizes.empty())
      argv.insert(argv.end(),
                  {"--sizes", list_of(sizes, [](Bytes size) { return std::to_string(size.count); })});
    const ChildResult child =
        run_to_end({.argv = argv}, {},
                   {.timeout = std::chrono::duration_cast<std::chrono::milliseconds>(budget) + kPatience});
    if (child.output.empty()) {
      throw EnvironmentError(
          fmt::format("{} probe-comm {}: {}", binary, describe(child), trim(std::string_view(child.errors))));
    }
    return document_from_json(child.output, binary);
  }

  std::string against_;
  const SweepRequest& request_;
  RunMonitor& monitor_;
  std::uint64_t seed_;
  std::vector<std::string> base_options_;
  std::vector<std::string> new_options_;
};

std::set<Bytes> sizes_of(const Document& result, const std::vector<std::size_t>& rows) {
  std::set<Bytes> sizes;
  for (const std::size_t row : rows) sizes.insert(result.rows[row].params.bytes);
  return sizes;
}

}  // namespace

ExitCode measure_side_by_side(const ProbeOptions& options, const ProbeRequest& request, RunMonitor& monitor,
                              Document& result) {
  install_interrupt_handlers();
  SideBySide builds(*options.against, request.sweep, monitor);
  std::optional<BothSides> sides = builds.measure({}, "first look");
  if (!sides) return ExitCode::interrupted;
  Document compared =
      compare(sides->base, sides->now, options.gate.find(sides->now.document.machine), Sides::in_turn, false);
  compared.command = result.command;
  compared.argv = result.argv;
  compared.started = result.started;
  compared.findings.insert(compared.findings.begin(), std::make_move_iterator(result.findings.begin()),
                           std::make_move_iterator(result.findings.end()));
  compared.request = std::move(result.request);
  compared.inputs = std::move(result.inputs);
  compared.method = sides->now.document.method;
  ExitCode code = exit_code(sides->now.document);
  for (std::size_t i = 0; i < std::min(compared.rows.size(), sides->now.document.rows.size()); ++i)
    compared.rows[i].launches = std::move(sides->now.document.rows[i].launches);
  result = std::move(compared);

  const std::vector<std::size_t> rows = suspects(result);
  if (!rows.empty() && !options.confirm) {
    leave_unconfirmed(result, "not measured again: --no-confirm");
  } else if (!rows.empty()) {
    const std::optional<BothSides> again = builds.measure(sizes_of(result, rows), "suspects again");
    if (again) {
      confirm(result, again->base.document, again->now.document, BaseLaunches::fresh,
              fmt::format("measured again, {} fresh launches of each build", request.sweep.launches));
    } else {
      leave_unconfirmed(result, "not measured again: interrupted");
      code = ExitCode::interrupted;
    }
  }
  conclude_comparison(result);
  return combine(code, gate_exit_code(result, options.gate.fail_on));
}

}  // namespace ringside
