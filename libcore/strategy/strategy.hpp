#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device/rank_device.hpp"
#include "machine/gpu_survey.hpp"
#include "machine/profile.hpp"
#include "model/case.hpp"
#include "model/finding.hpp"

namespace ringside {

// How a strategy sums: what verification may demand of it.
struct Numerics {
  bool rank_order = false;            // fp32 sum in the order of ranks 0, 1, 2, ...
  bool single_rounding = false;       // fp32 partials throughout; rounded once, to the result's dtype
  bool bitwise_across_ranks = false;  // every rank ends with the same bits
  // Roundings to the dtype on the way, for strategies without single_rounding: the error bound grows with it.
  static constexpr int kEveryAddition = 0;  // ranks - 1 of them
  int roundings = 1;
};

// Where a case would run, as far as admission must know it.
struct AdmissionContext {
  DeviceKind device = DeviceKind::host;
  int cores = 1;  // usable CPU cores
  std::shared_ptr<const GpuSurvey>
      gpus{};  // cuda: the ranks' GPUs, rank r's is number r; null on other devices
};

// What a strategy that stands for several took for a case.
struct StrategyChoice {
  std::string ran;                   // "custom-push", "two-shot"
  std::string chosen_by;             // "built-in table fnv1a:0123456789abcdef", "trial", "size"
  std::optional<Finding> problem{};  // of what should have chosen; rank 0 alone has it
};

// What a described machine would need for a case.
struct Estimate {
  double time_ns = 0;
  std::string formula;                     // for people: "2(n-1) x latency + 2(n-1)/n x bytes / bandwidth"
  std::optional<StrategyChoice> choice{};  // of a strategy that stands for several
};

// What a library says it ran.
struct LibraryReport {
  std::string ran;                // "RING/LL"
  std::optional<int> channels{};  // of NCCL
};

// A strategy made ready on one rank for one case: buffers placed, peers known.
class PreparedCollective {
 public:
  virtual ~PreparedCollective() = default;
  // Enqueues one collective of the case's `count` elements: input -> output (output_bytes()), for an
  // allreduce the sum over ranks, for an all-to-all each rank's part for this one (part_borders()). Both lie
  // in this rank's arena at the same offsets on every rank; input == output is allowed for an allreduce.
  // Every rank must make the same calls in the same order. When the call is complete the input may be
  // overwritten at once: a strategy whose peers read it must see to that.
  virtual void enqueue(const std::byte* input, std::byte* output) = 0;
  // Whether report() can have an answer: in a group that was started to report (DeviceSettings::report),
  // where a library chooses. The same on every rank.
  virtual bool reports() const { return false; }
  // What the library says it ran at the latest call, enqueued or captured, on a rank that is told; nothing
  // otherwise.
  virtual std::optional<LibraryReport> report() { return std::nullopt; }

  // Nothing where the strategy stands for itself. The same on every rank, but for the problem.
  const std::optional<StrategyChoice>& choice() const { return choice_; }
  void set_choice(StrategyChoice choice) { choice_ = std::move(choice); }

 private:
  std::optional<StrategyChoice> choice_;
};

// One way to do a collective. Stateless; lives as long as the program; one object per name.
class Strategy {
 public:
  virtual ~Strategy() = default;
  virtual std::string_view name() const = 0;     // "ring", "nccl-ring:ll"
  virtual std::string_view family() const = 0;   // "ring", "nccl-ring"
  virtual std::string_view summary() const = 0;  // one line for `list`
  virtual DeviceKind device() const = 0;         // host or cuda
  virtual Collective collective() const { return Collective::allreduce; }
  virtual Numerics numerics() const = 0;
  // What it asks of a library that may do something else, in the library's words: "RING/LL", "RING" (any
  // protocol), "auto" (whatever the library likes). Nothing when no library chooses.
  virtual std::optional<std::string> asks() const { return std::nullopt; }
  // What it sets for its library beside the algorithm, as rows show it: "NCCL_GRAPH_MIXING_SUPPORT=0".
  // Nothing where it leaves all to the environment.
  virtual std::optional<std::string> setting(const AdmissionContext&) const { return std::nullopt; }
  // The variables, name and value, that its rank processes need beside what the coordinator's environment
  // has: what a library reads once in a process. Such cases have ranks of their own.
  virtual std::vector<std::pair<std::string, std::string>> environment(const AdmissionContext&) const {
    return {};
  }
  // Nothing when the case can run here, else the reason as a Finding of kind "not-admitted". By default: at
  // least 2 ranks; on host no graphs and at most 16.
  virtual std::optional<Finding> admit(const Case& params, const AdmissionContext& context) const;
  // Takes from the arena what prepare() takes there beside input and output, by the same code, and gives back
  // what prepare() gives back: on a counting arena, what each rank needs. Where the choice among several ways
  // is the ranks', the most that it may come to. No part of it is what lies outside of the arena: NCCL's
  // communicators and what CUDA keeps for kernels. Windows that NCCL registers are the arena itself.
  virtual void allocate(Arena& arena, const Case& params) const = 0;
  // Collective over all ranks. Throws on failure.
  virtual std::unique_ptr<PreparedCollective> prepare(RankDevice& device, const Case& params) const = 0;
  // What it would take on a machine that is only described; nothing where it stands for itself.
  virtual std::optional<StrategyChoice> choose_on(const Case&, const MachineProfile&) const {
    return std::nullopt;
  }
  // Time on a machine that is only described.
  virtual Estimate estimate(const Case& params, const MachineProfile& machine) const = 0;
};

// The answer of an admission that says no: one sentence, and what would help (or nothing).
Finding not_admitted(const Case& params, std::string reason, std::string remedy = "");

}  // namespace ringside
