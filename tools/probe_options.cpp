#include "probe_options.hpp"

#include <fmt/format.h>

#include <charconv>

#include "base/errors.hpp"
#include "base/text.hpp"
#include "gate_options.hpp"
#include "option_values.hpp"
#include "request_options.hpp"
#include "sweep/request_limits.hpp"
#include "sweep/size_list.hpp"

namespace ringside {
namespace {

constexpr double kMostSlowdown = 100;

std::string slowdown_name(const std::string& text) {
  const std::size_t equals = text.find('=');
  return equals == std::string::npos ? "all" : text.substr(0, equals);
}

double slowdown_factor(const std::string& text) {
  const std::string number = text.substr(text.find('=') + 1);  // npos + 1 is 0: the whole text
  double factor = 0;
  const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), factor);
  if (problem != std::errc{} || end != number.data() + number.size() ||
      !(factor >= 1 && factor <= kMostSlowdown))
    throw UsageError(fmt::format("'{}' is no factor from 1 to {}", number, kMostSlowdown));
  return factor;
}

void declare_what(RequestOverrides& flags, OptionTable& options) {
  options.group("What is compared");
  declare_strategy(flags, options,
                   "A strategy, a family or all; several by comma or by repeating the option. The same name "
                   "twice gives two entries with buffers of their own. [all]");
  options.value("--sizes", "LIST",
                "Bytes each rank contributes: 2K,14336 or FIRST:LAST:x2 or FIRST:LAST:+1M [2K:16M:x2]",
                [&flags](const std::string& text) { flags.sizes = parse_size_list(text); });
  options.repeatable("--dtype", "NAME", "bf16, fp16 or fp32; several as above [bf16]",
                     [&flags](const std::string& text) { append_parsed(flags.dtypes, text, parse_dtype); });
  options.choices({"bf16", "fp16", "fp32"});
  options.value("--collective", "NAME",
                "allreduce (sum), or alltoall (each rank sends a part to each rank) [allreduce]",
                [&flags](const std::string& text) { flags.collective = parse_collective(text); });
  options.choices({"allreduce", "alltoall"});
  options.value("--load", "LIST", "alltoall: share of each message that goes to each rank: 3,1 [even]",
                [&flags](const std::string& text) { flags.load = parse_load(text); });
}

void declare_where(RequestOverrides& flags, OptionTable& options) {
  options.group("Where it runs");
  declare_place(
      flags, options,
      {.device = "auto, host (processes on CPU cores), cuda, or model (a described machine, nothing is run) "
                 "[auto]",
       .machine = "The machine of the model device; see `ringside list machines` [rtx-pro-6000-pcie-x8]",
       .ranks = "Ranks, 2 to 16 on the host device [as many as cores, 2 to 8; cuda: as GPUs]",
       .mode = "eager (calls launched one by one) or graph (CUDA graphs); several as above [cuda: both; else "
               "eager]"});
}

void declare_how(RequestOverrides& flags, OptionTable& options) {
  options.group("How it is measured");
  declare_limits(flags, options,
                 {.budget = fmt::format("For the whole command: 45, 45s, 2m [{}s; cuda: {}s]",
                                        kHostBudget.count(), kCudaBudget.count()),
                  .launches = "Groups of fresh processes; a winner is named from three on [3]"});
  declare_rounds(flags, options);
  options.value("--skew", "US",
                "Measure, apart, what it costs when one rank comes so many microseconds late.",
                [&flags](const std::string& text) {
                  flags.skew = std::chrono::microseconds(parse_integer(text, kSkewLimits_us));
                });
}

}  // namespace

void ProbeCommandLine::declare(OptionTable& options) {
  options.argument(
      "SCENARIO",
      "A sweep by name (see `ringside list scenarios`) or a TOML file; options override what it says.",
      [this](const std::string& text) { probe.scenario = text; });
  options.choices(scenario_names("sweeps"));
  declare_what(probe.flags, options);
  declare_where(probe.flags, options);
  declare_how(probe.flags, options);
  options.flag(
      "--tune",
      "Measure which of our own kernels is the fastest at each size, and let custom use it on these GPUs "
      "from now on.",
      probe.tune);
  options.value(
      "--fit", "FILE",
      "Run nothing: make a machine profile for the model device of a result (--json), and say how far off it "
      "is at sizes that were held out.",
      [this](const std::string& text) { fit = text; });
  options.value("-o", "FILE", "Where the profile of --fit goes.",
                [this](const std::string& text) { fit_to = text; });
  options.flag("--profile",
               "Run each case once more after it is warm, inside the NVTX range that a profiler captures: no "
               "statistics. The nsys command for it is printed (see docs/profiling.md).",
               probe.profile);
  options.group("Regressions (see docs/compare.md)");
  options.value(
      "--against", "BINARY",
      "Measure another build of ringside side by side, launch by launch, and say what became slower.",
      [this](const std::string& text) { probe.against = text; });
  declare_gate_options(probe.gate, options);
  options.flag(
      "--no-confirm",
      "With --against: don't measure what looks slower again; only what is beyond twice its threshold "
      "counts then.",
      no_confirm);
  options.flag(
      "--calibrate",
      "Measure twice as many launches, and store how far two halves of them come apart: the thresholds of "
      "later comparisons on this machine. Each further time adds what changes between times.",
      probe.calibrate);
  options.repeatable(
      "--inject-slowdown", "[NAME=]FACTOR",
      "To try a gate: a strategy, or all, makes FACTOR times the calls that are counted, to whole "
      "calls.",
      [this](const std::string& text) {
        probe.slowdowns.insert_or_assign(slowdown_name(text), slowdown_factor(text));
      });
  options.group("Other");
  options.flag("--plan", "Show the cases, memory and time, and run nothing.", plan);
  common.declare_outputs(options);
  common.declare_display(options);
  common.declare_plot(options);
}

void ProbeCommandLine::check() {
  common.check();
  probe.confirm = !no_confirm;
  if (fit.has_value() != fit_to.has_value()) throw UsageError("--fit FILE and -o FILE belong together");
  if (fit && !common.outputs.empty())
    throw UsageError("--fit writes the profile alone, by -o; it has no other output");
  if (plan && !common.outputs.empty())
    throw UsageError("--plan runs nothing, so there is nothing to write to a file");
  probe.check();
}

}  // namespace ringside
