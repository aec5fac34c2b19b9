#include "strategy/nccl/nccl_strategy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/errors.hpp"
#include "machine/versions.hpp"
#include "strategy/cost.hpp"
#include "strategy/nccl/nccl_types.hpp"

namespace ringside {
namespace {

class NcclAllReduce final : public PreparedCollective {
 public:
  NcclAllReduce(CudaDevice& device, const NcclLibrary& library, NcclCommunicator& communicator,
                const Case& params)
      : device_(device),
        library_(library),
        communicator_(communicator),
        count_(params.count()),
        type_(nccl_type(params.dtype)) {}

  void enqueue(const std::byte* input, std::byte* output) override {
    const ncclResult_t result = library_.api().all_reduce(input, output, count_, type_, ncclSum,
                                                          communicator_.get(), device_.stream());
    try {
      library_.check(result, "ncclAllReduce", communicator_.get());
    } catch (const NcclError& error) {
      // The arguments are right, so this is NCCL's "no algorithm/protocol available": it has no such way
      // here.
      if (result == ncclInvalidUsage) throw UnavailableError(error.what());
      throw;
    }
  }

  bool reports() const override { return device_.nccl_report() != nullptr; }

  std::optional<LibraryReport> report() override {
    NcclReport* report = device_.nccl_report();
    if (report == nullptr) return std::nullopt;
    const std::optional<NcclRan> ran = parse_nccl_report(report->take());
    return ran ? std::optional(LibraryReport{ran->what, ran->channels}) : std::nullopt;
  }

 private:
  CudaDevice& device_;
  const NcclLibrary& library_;
  NcclCommunicator& communicator_;
  std::size_t count_;
  ncclDataType_t type_;
};

// Support for several graphs at a time, or for other calls beside a graph, is on by default. It adds a node
// that records an event to each captured call (NCCL 2.28.9, src/misc/strongstream.cc:276-294); the
// maintainers switch it off to measure (nccl-tests#333). The variable is read once in a process. From 2.29 on
// a communicator can be configured without (ncclConfig_t::graphUsageMode), but the variable, where it is set,
// overrides that (src/init.cc of 2.29.2 to 2.30.7).
constexpr const char* kMixingVariable = "NCCL_GRAPH_MIXING_SUPPORT";
constexpr int kFirstConfigurable = 22900;

std::string mixing_variable() {
  const char* const value = std::getenv(kMixingVariable);
  return value == nullptr ? "" : value;
}

bool by_configuration(const NcclFacts& nccl) {
  return nccl.version >= kFirstConfigurable && mixing_variable().empty() &&
         std::ranges::count(nccl.missing, "ncclCommInitRankConfig") == 0;
}

std::optional<Finding> refuse_one_graph(const Case& params, const AdmissionContext& context) {
  if (params.mode != Mode::graph)
    return not_admitted(params, "it differs from NCCL as it comes in graphs alone", "add --mode graph");
  if (context.device == DeviceKind::model)
    return not_admitted(params, "what it saves is not known of a described machine");
  if (mixing_variable() == "0")
    return not_admitted(params, fmt::format("{}=0 is set: NCCL's other rows run with it", kMixingVariable));
  return std::nullopt;
}

// On a rank: whether the communicator is to be configured. Else the process has the variable.
bool must_configure(const NcclLibrary& library) {
  if (mixing_variable() == "0") return false;
  if (library.version() < kFirstConfigurable)
    throw InternalError(fmt::format("a rank was started without {}=0", kMixingVariable));
  return true;
}

}  // namespace

// Every hop of a ring or chain adds in the dtype, so it rounds. The result of an element is made by one rank
// and copied to the others, or summed by all in the same order.
Numerics NcclStrategy::numerics() const {
  Numerics numerics;
  numerics.bitwise_across_ranks = true;
  numerics.roundings = Numerics::kEveryAddition;
  return numerics;
}

std::optional<Finding> NcclStrategy::admit(const Case& params, const AdmissionContext& context) const {
  if (auto refused = Strategy::admit(params, context)) return refused;
  if (context.gpus == nullptr) return not_admitted(params, "no GPUs have been looked at");
  const NcclFacts& nccl = context.gpus->nccl;
  if (!nccl.problem.empty()) {
    return not_admitted(params, "no NCCL library could be opened: " + nccl.problem,
                        "name one with --nccl-lib");
  }
  if (nccl.version < spec_.first_version) {
    return not_admitted(
        params,
        fmt::format("NCCL {} at {} has no such way; {} and later have", nccl_version_text(nccl.version),
                    nccl.path, nccl_version_text(spec_.first_version)),
        "name a newer library with --nccl-lib");
  }
  return spec_.one_graph ? refuse_one_graph(params, context) : std::nullopt;
}

std::optional<std::string> NcclStrategy::setting(const AdmissionContext& context) const {
  if (!spec_.one_graph || context.gpus == nullptr) return std::nullopt;
  return by_configuration(context.gpus->nccl) ? "graphUsageMode=1" : fmt::format("{}=0", kMixingVariable);
}

std::vector<std::pair<std::string, std::string>> NcclStrategy::environment(
    const AdmissionContext& context) const {
  if (!spec_.one_graph || context.gpus == nullptr || by_configuration(context.gpus->nccl)) return {};
  return {{kMixingVariable, "0"}};
}

std::unique_ptr<PreparedCollective> NcclStrategy::prepare(RankDevice& device, const Case& params) const {
  CudaDevice& cuda = CudaDevice::of(device);
  auto& communicators = cuda.companion<NcclCommunicators>();
  const bool one_graph = spec_.one_graph && must_configure(communicators.library());
  NcclCommunicator& communicator = communicators.get(
      {std::string(spec_.algorithm), std::string(spec_.protocol), spec_.windows, one_graph});
  return std::make_unique<NcclAllReduce>(cuda, communicators.library(), communicator, params);
}

// LL sends a flag beside every 4 bytes, LL128 one in every 128. Inside a node the tree is a chain: up and
// down, all of the message in each direction. The switch of NVLS adds, in one crossing there and one back.
Estimate NcclStrategy::estimate(const Case& params, const MachineProfile& machine) const {
  const double n = params.ranks;
  const double flags = spec_.protocol == "ll" ? 2 : spec_.protocol == "ll128" ? 128.0 / 120 : 1;
  const double bytes = static_cast<double>(params.bytes.count) * flags;
  if (spec_.algorithm == "tree")
    return estimate_cost(machine, 2 * (n - 1), 2 * bytes, "2(n-1) steps + 2 x bytes / bandwidth",
                         machine.nccl_step_ns);
  if (spec_.algorithm == "nvls")
    return estimate_cost(machine, 2, 2 * bytes, "2 steps + 2 x bytes / bandwidth", machine.nccl_step_ns);
  return estimate_cost(machine, 2 * (n - 1), 2 * (n - 1) / n * bytes,
                       "2(n-1) steps + 2(n-1)/n x bytes / bandwidth", machine.nccl_step_ns);
}

}  // namespace ringside
