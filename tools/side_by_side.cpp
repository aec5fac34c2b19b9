#include "side_by_side.hpp"

#include <fmt/format.h>

#include <chrono>
#include <iterator>
#include <set>
#include <span>

#include "base/errors.hpp"
#include "base/run_to_end.hpp"
#include "base/signals.hpp"
#include "base/text.hpp"
#include "measure/sweep.hpp"

namespace ringside {
namespace {

constexpr const char* kThisBuild = "/proc/self/exe";
constexpr std::chrono::minutes kPatience{10};  // beyond its budget, before a build counts as hung

struct BothSides {
  ComparisonSide base;
  ComparisonSide now;
};

class SideBySide {
 public:
  SideBySide(const ProbeOptions& options, const ProbeRequest& request, const Invocation& invocation,
             Console& console)
      : options_(options), sweep_(request.sweep), console_(console), seed_(request.sweep.seed) {
    ProbeOptions all;
    OptionTable table;
    all.declare(table);
    std::vector<std::string> drop = {"--against",  "--calibration", "--no-confirm", "--fail-on",
                                     "--launches", "--budget",      "--seed",       "--color",
                                     "--quiet",    "--verbose",     "--silence",    "--github"};
    for (const Writer* writer : all_writers()) drop.push_back(fmt::format("--{}", writer->name()));
    const std::span given = std::span(invocation.argv).subspan(2);
    new_arguments_ = arguments_without(table, given, drop);
    drop.emplace_back("--inject-slowdown");  // of this build alone
    base_arguments_ = arguments_without(table, given, drop);
  }

  // `sizes`: in the place of those that were asked for; empty: those. Nothing after an interruption.
  std::optional<BothSides> measure(const std::set<Bytes>& sizes, const char* what) {
    std::vector<Document> base, now;
    for (int launch = 0; launch < sweep_.launches; ++launch) {
      console_.note(fmt::format("{}: launch {} of {}, both builds", what, launch + 1, sweep_.launches));
      const auto run_base = [&] { base.push_back(run(*options_.against, base_arguments_, sizes)); };
      if (launch % 2 == 0) run_base();
      if (!interrupt_requested()) now.push_back(run(kThisBuild, new_arguments_, sizes));
      if (launch % 2 != 0 && !interrupt_requested()) run_base();
      if (interrupt_requested()) return std::nullopt;
      ++seed_;
    }
    return BothSides{make_side(std::move(base), {*options_.against}, false),
                     make_side(std::move(now), {"this build"}, false)};
  }

 private:
  // One launch, with the same order and data for both builds.
  Document run(const std::string& binary, const std::vector<std::string>& arguments,
               const std::set<Bytes>& sizes) const {
    const auto budget = sweep_.budget / (2 * sweep_.launches);
    std::vector<std::string> argv = {binary, "probe-comm"};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    const double seconds = std::max(0.1, std::chrono::duration<double>(budget).count());
    for (const std::string& word :
         {std::string("--launches"), std::string("1"), std::string("--budget"),
          fmt::format("{:.3f}", seconds), std::string("--seed"), std::to_string(seed_),
          std::string("--quiet"), std::string("--json"), std::string("-")})
      argv.push_back(word);
    if (!sizes.empty()) {
      std::vector<std::string> list;
      for (const Bytes size : sizes) list.push_back(std::to_string(size.count));
      argv.insert(argv.end(), {"--sizes", join(list, ",")});
    }
    const ChildResult child =
        run_to_end({.argv = argv}, {},
                   {.timeout = std::chrono::duration_cast<std::chrono::milliseconds>(budget) + kPatience});
    if (child.output.empty()) {
      throw EnvironmentError(
          fmt::format("{} probe-comm {}: {}", binary, describe(child), trim(std::string_view(child.errors))));
    }
    return document_from_json(child.output, binary);
  }

  const ProbeOptions& options_;
  const SweepRequest& sweep_;
  Console& console_;
  std::uint64_t seed_;
  std::vector<std::string> base_arguments_;
  std::vector<std::string> new_arguments_;
};

std::set<Bytes> sizes_of(const Document& result, const std::vector<std::size_t>& rows) {
  std::set<Bytes> sizes;
  for (const std::size_t row : rows) sizes.insert(result.rows[row].params.bytes);
  return sizes;
}

}  // namespace

ExitCode measure_side_by_side(const ProbeOptions& options, const ProbeRequest& request,
                              const Invocation& invocation, Console& console, Document& result) {
  install_interrupt_handlers();
  SideBySide builds(options, request, invocation, console);
  std::optional<BothSides> sides = builds.measure({}, "first look");
  if (!sides) return ExitCode::interrupted;
  Document compared =
      compare(sides->base, sides->now, options.gate.find(sides->now.document.machine), Sides::in_turn, false);
  compared.command = result.command;
  compared.argv = result.argv;
  compared.started = result.started;
  compared.method = sides->now.document.method;
  ExitCode code = exit_code(sides->now.document);
  for (std::size_t i = 0; i < sides->now.document.rows.size(); ++i)
    compared.rows[i].launches = std::move(sides->now.document.rows[i].launches);
  result = std::move(compared);

  const std::vector<std::size_t> rows = suspects(result);
  if (!rows.empty() && options.gate.no_confirm) {
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
