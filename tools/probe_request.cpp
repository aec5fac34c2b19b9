#include "probe_request.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

#include "base/errors.hpp"
#include "machine/profile_catalogue.hpp"
#include "machine/resources.hpp"
#include "measure/request_limits.hpp"
#include "measure/size_list.hpp"

namespace ringside {
namespace {

using std::chrono::seconds;

// 32 bits are enough to tell runs apart and short enough to type.
std::uint64_t random_seed() {
  std::uint32_t seed = 0;
  if (::getrandom(&seed, sizeof seed, 0) != sizeof seed) throw SystemError("getrandom", errno);
  return seed;
}

MachineProfile find_machine(const std::optional<std::string>& name) {
  if (name) return find_machine_profile(*name);
  throw UsageError("the model device needs --machine NAME; see ringside list machines");
}

}  // namespace

ProbeRequest resolve(const ProbeOptions& options) {
  const RequestOverrides scenario =
      options.scenario ? find_sweep_scenario(*options.scenario).overrides : RequestOverrides{};
  const RequestOverrides& flags = options.flags;

  ProbeRequest request;
  request.device = choose_device(flags.device.value_or(scenario.device.value_or("auto")));
  const auto machine = flags.machine ? flags.machine : scenario.machine;
  if (request.device.kind == DeviceKind::model) {
    request.machine = find_machine(machine);
  } else if (flags.machine) {
    throw UsageError("--machine describes a machine to the model device; add --device model");
  }
  request.context = {request.device.kind, usable_cores()};

  SweepRequest& sweep = request.sweep;
  sweep.device = request.device.kind;
  sweep.ranks = request.machine ? request.machine->ranks : std::clamp(request.context.cores, 2, 8);
  sweep.sizes = parse_size_list("2K:16M:x2");
  sweep.budget = seconds(40);
  sweep.turn_timeout = seconds(30);
  sweep.seed = random_seed();
  apply(scenario, sweep);
  apply(flags, sweep);
  // Who asks for few rounds means it.
  if (flags.max_rounds && !flags.min_rounds) sweep.min_rounds = std::min(sweep.min_rounds, sweep.max_rounds);
  check_request(sweep);
  if (request.machine && sweep.ranks > request.machine->ranks) {
    throw UsageError(fmt::format("{} ranks, but the machine {} has {}", sweep.ranks, request.machine->name,
                                 request.machine->ranks));
  }
  return request;
}

void check_memory(const Plan& plan, Bytes available) {
  const Bytes need{plan.arena_bytes.count * static_cast<std::uint64_t>(plan.request.ranks)};
  if (need <= available) return;
  throw EnvironmentError(
      fmt::format("not enough memory: the buffers of {} ranks take {}, and {} are available; use smaller "
                  "--sizes or fewer --ranks",
                  plan.request.ranks, format_bytes(need), format_bytes(available)));
}

}  // namespace ringside
