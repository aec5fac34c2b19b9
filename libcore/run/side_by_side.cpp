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
#include "run/measured_run.hpp"
#include "run/run_document.hpp"
#include "sweep/request_limits.hpp"
#include "sweep/sweep.hpp"

namespace ringside {
namespace {

constexpr const char* kThisBuild = "/proc/self/exe";
constexpr std::chrono::minutes kPatience{10};  // beyond its budget, before a build counts as hung
// The same where it says nothing for so long beyond the time-out of a turn: ranks may take that to end.
constexpr std::chrono::seconds kSilence{20};
constexpr std::chrono::seconds kCudaSilence{60};
constexpr std::chrono::seconds kStopped{2};     // between two looks, which are 50 ms apart
constexpr std::size_t kMostBytes = 512u << 20;  // of a result
constexpr std::size_t kErrorTail = 4096;

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
  if (request.input != default_input(request.device)) add("--input", name(request.input));
  if (request.verify_calls > 0) add("--verify-calls", std::to_string(request.verify_calls));
  if (request.skew.count() > 0)
    add("--skew",
        std::to_string(std::chrono::duration_cast<std::chrono::microseconds>(request.skew).count()));
  return words;
}

// What a number of launches of both builds came to.
struct Look {
  std::size_t launches = 0;  // of each build; 0: base and now are empty
  ComparisonSide base;
  ComparisonSide now;
  std::string lost;  // why it ended early, but for an interruption
};

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

  // `sizes`: in the place of those that were asked for; empty: those. A first look throws EnvironmentError
  // when a build gives no result, UsageError when it gives one that is none; in a second one that is a loss.
  Look measure(const std::set<Bytes>& sizes, const char* what) {
    std::vector<Document> base, now;
    Look look;
    try {
      for (int launch = 0; launch < request_.launches && !interrupt_requested(); ++launch) {
        monitor_.note(fmt::format("{}: launch {} of {}, both builds", what, launch + 1, request_.launches));
        const auto run_base = [&] { return take(base, run(against_, base_options_, sizes)); };
        const auto run_this = [&] { return take(now, run(kThisBuild, new_options_, sizes)); };
        if (launch % 2 == 0 ? !(run_base() && run_this()) : !(run_this() && run_base())) break;
        ++seed_;
      }
    } catch (const TimeoutError& problem) {
      look.lost = problem.what();
    } catch (const Error& problem) {
      if (sizes.empty() && (base.empty() || now.empty())) throw;
      look.lost = problem.what();
    }
    look.launches = std::min(base.size(), now.size());
    base.resize(look.launches);
    now.resize(look.launches);
    try {
      if (look.launches == 0) return look;
      look.base = make_side(std::move(base), {against_}, false);
      look.now = make_side(std::move(now), {"this build"}, false);
    } catch (const Error& problem) {  // the machine is another one than in the launch before
      if (sizes.empty()) throw;
      look.lost = problem.what();
    }
    return look;
  }

 private:
  static bool take(std::vector<Document>& documents, std::optional<Document> document) {
    if (document) documents.push_back(std::move(*document));
    return document.has_value();
  }

  std::vector<std::string> command(const std::string& binary, const std::vector<std::string>& options,
                                   const std::set<Bytes>& sizes) const {
    std::vector<std::string> argv = {binary, "probe-comm"};
    argv.insert(argv.end(), options.begin(), options.end());
    for (const std::string& word :
         {std::string("--launches"), std::string("1"), std::string("--budget"),
          fmt::format("{:.3f}", std::max(0.1, seconds(budget()))), std::string("--seed"),
          std::to_string(seed_), std::string("--verbose"), std::string("--json"), std::string("-")})
      argv.push_back(word);
    if (!sizes.empty())
      argv.insert(argv.end(),
                  {"--sizes", list_of(sizes, [](Bytes size) { return std::to_string(size.count); })});
    return argv;
  }

  std::chrono::nanoseconds budget() const { return request_.budget / (2 * request_.launches); }

  // One launch, with the same order and data for both builds. Nothing after an interruption, which ends it at
  // once, with all that it has started.
  std::optional<Document> run(const std::string& binary, const std::vector<std::string>& options,
                              const std::set<Bytes>& sizes) const {
    using std::chrono::steady_clock;
    // It logs every turn, and a turn has its time-out.
    const auto patience = std::chrono::ceil<std::chrono::milliseconds>(request_.turn_timeout) +
                          (request_.device == DeviceKind::cuda ? kCudaSilence : kSilence);
    auto last_word = steady_clock::now();
    std::string said;
    const auto listen = [&](std::string_view text) {
      last_word = steady_clock::now();
      said.append(text);
      if (said.size() > 2 * kErrorTail) said.erase(0, said.size() - kErrorTail);
    };
    auto last_look = steady_clock::now();
    const auto silent = [&] {
      const auto now = steady_clock::now();
      if (now - last_look > kStopped) last_word = now;  // this process was stopped, and heard nothing
      last_look = now;
      return now - last_word > patience;
    };
    const ChildResult child =
        run_to_end({.argv = command(binary, options, sizes), .guarded = true},
                   {.output = Keep::head(kMostBytes), .errors = Keep::hand_to(listen)},
                   {.timeout = std::chrono::duration_cast<std::chrono::milliseconds>(budget()) + kPatience,
                    .stop_requested = [&] { return interrupt_requested() || silent(); }});
    if (interrupt_requested()) return std::nullopt;
    const std::string name = binary == kThisBuild ? "this build" : binary;
    if (child.stop == ChildResult::Stop::interrupted)
      throw TimeoutError(
          fmt::format("{} probe-comm hung: it said nothing for {:.0f} s", name, seconds(patience)));
    if (child.stop == ChildResult::Stop::timed_out || child.end.kind == ProcessEnd::Kind::signalled)
      throw TimeoutError(fmt::format("{} probe-comm {}", name, describe(child)));
    if (child.output.empty()) {
      const std::string_view text = trim(std::string_view(said));
      throw EnvironmentError(fmt::format("{} probe-comm {}{}{}", name, describe(child),
                                         text.empty() ? "" : ": ", text.substr(text.rfind('\n') + 1)));
    }
    Document document = document_from_json(child.output, name);
    const bool out_of_budget = document.method && document.method->stop_reason == "budget";
    if (!document.complete && !out_of_budget)
      throw TimeoutError(fmt::format("{} probe-comm ended early: it {}", name, describe(child)));
    return document;
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

// Says in the result that it is not whole, and why.
ExitCode end_early(const Look& look, RunMonitor& monitor, Document& result) {
  result.complete = false;
  if (look.lost.empty()) {
    add_finding(result, {.kind = finding_kind("interrupted"),
                         .severity = Severity::warning,
                         .subject = "comparison",
                         .message = "the comparison was interrupted; the launches that both builds had ended "
                                    "by then are compared",
                         .evidence = {},
                         .remedy = ""});
    return ExitCode::interrupted;
  }
  monitor.error(look.lost);
  add_finding(result, {.kind = finding_kind("rank-lost"),
                       .severity = Severity::error,
                       .subject = "comparison",
                       .message = look.lost,
                       .evidence = {},
                       .remedy = ""});
  return exit_of("rank-lost");
}

}  // namespace

ExitCode measure_side_by_side(const ProbeOptions& options, const ProbeRequest& request, RunMonitor& monitor,
                              Document& result) {
  install_interrupt_handlers(monitor.interrupt_notice());
  SideBySide builds(*options.against, request.sweep, monitor);
  Look look = builds.measure({}, "first look");
  if (look.launches == 0) return end_early(look, monitor, result);
  Document compared =
      compare(look.base, look.now, options.gate.find(look.now.document.machine), Sides::in_turn, false);
  take_over(result, compared);
  compared.request = std::move(result.request);
  compared.inputs = std::move(result.inputs);
  compared.method = look.now.document.method;
  ExitCode code = exit_code(look.now.document);
  keep_failures(look.now.document, compared);
  for (std::size_t i = 0; i < std::min(compared.rows.size(), look.now.document.rows.size()); ++i)
    compared.rows[i].launches = std::move(look.now.document.rows[i].launches);
  result = std::move(compared);

  const std::vector<std::size_t> rows = suspects(result);
  if (!look.lost.empty() || interrupt_requested()) {
    if (!rows.empty()) leave_unconfirmed(result, "not measured again: the first look ended early");
    code = combine(code, end_early(look, monitor, result));
  } else if (!rows.empty() && !options.confirm) {
    leave_unconfirmed(result, "not measured again: --no-confirm");
  } else if (!rows.empty()) {
    const Look again = builds.measure(sizes_of(result, rows), "suspects again");
    const bool whole = again.lost.empty() && !interrupt_requested();
    if (whole) {
      confirm(result, again.base.document, again.now.document, BaseLaunches::fresh,
              fmt::format("measured again, {} fresh launches of each build", request.sweep.launches));
    } else {
      leave_unconfirmed(result, "not measured again: " + (again.lost.empty() ? "interrupted" : again.lost));
      code = combine(code, end_early(again, monitor, result));
    }
  }
  conclude_comparison(result);
  // What neither build reached was asked for and is not judged.
  const bool judges = options.gate.fail_on != FailOn::none;
  if (judges && result.find("not-reached:sweep") != nullptr) code = combine(code, ExitCode::inconclusive);
  return combine(code, gate_exit_code(result, options.gate.fail_on));
}

}  // namespace ringside
