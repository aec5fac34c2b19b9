#include "sweep/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "base/errors.hpp"
#include "device/make_device.hpp"
#include "protocol/group_memory.hpp"
#include "strategy/registry.hpp"

namespace ringside {
namespace {

// A wide guess at a call on an ordinary host, for the time estimate alone: half a microsecond, and each rank
// passing its message through memory twice at 2 GB/s.
double estimate_call_ns(const Case& params) {
  return 500 + static_cast<double>(params.bytes.count) * params.ranks / 2.0;
}

std::vector<const Strategy*> resolve(const SweepRequest& request, const CaseSet& set) {
  const DeviceKind device = request.device == DeviceKind::model ? request.described : request.device;
  std::vector<const Strategy*> chosen;
  for (const std::string& name : set.strategies) {
    for (const Strategy* strategy : find_strategies(name, device, set.collective)) chosen.push_back(strategy);
  }
  return chosen;
}

void check(const SweepRequest& request, const CaseSet& set) {
  if (set.sizes.empty()) throw UsageError("no message size is given");
  if (set.strategies.empty()) throw UsageError("no strategy is given");
  if (set.dtypes.empty()) throw UsageError("no dtype is given");
  if (set.modes.empty()) throw UsageError("no mode is given");
  for (const Bytes size : set.sizes) {
    for (const DType dtype : set.dtypes) {
      if (size.count == 0 || size.count % element_size(dtype) != 0) {
        throw UsageError(
            fmt::format("a message of {} bytes holds no whole number of {} elements ({} bytes each)",
                        size.count, to_string(dtype), element_size(dtype)));
      }
    }
  }
  if (!set.load.empty() && set.collective != Collective::alltoall)
    throw UsageError("a load says how an all-to-all cuts its messages; add --collective alltoall");
  if (!set.load.empty() && static_cast<int>(set.load.size()) != request.ranks) {
    throw UsageError(
        fmt::format("a load has one share for each of the {} ranks, not {}", request.ranks, set.load.size()));
  }
  if (request.input == InputState::cold && request.device != DeviceKind::cuda) {
    throw UsageError(
        "cold inputs need the cuda device: on a host the ranks share caches that nobody can empty");
  }
  if (request.input == InputState::fresh && request.device == DeviceKind::cuda) {
    throw UsageError("fresh inputs need the host device: on GPUs calls run back to back, as in a graph");
  }
  if (request.device == DeviceKind::host && std::ranges::count(set.modes, Mode::graph) > 0) {
    throw UsageError("mode graph needs the cuda device; the host device runs eager");
  }
}

// The ranks of no other device have memory.
void count_memory(Plan& plan, const CaseGroup& group) {
  if (plan.request.device == DeviceKind::model) return;
  std::map<std::size_t, std::vector<GroupMember>> members;  // by rank group
  for (const std::size_t index : group.cases)
    members[plan.cases[index].rank_group].push_back({plan.cases[index].strategy, &plan.cases[index].params});
  const Case& params = plan.cases[group.cases.front()].params;
  const BeginGroup begin = whole_group(params, cold_inputs(plan.request, params.bytes));
  for (const auto& [ranks, cases] : members) {
    Bytes& arena = plan.rank_groups[ranks].arena_bytes;
    arena = std::max(arena, arena_need(begin, cases));
  }
  plan.staging_bytes = std::max(plan.staging_bytes, staging_need(params));
}

// The ranks with this environment; the first that are asked for need not be the coordinator's own.
std::size_t rank_group_with(Plan& plan, std::vector<std::pair<std::string, std::string>> environment) {
  const bool first =
      std::ranges::all_of(plan.cases, [](const PlannedCase& planned) { return planned.skipped.has_value(); });
  if (first) {
    plan.rank_groups.front().environment = std::move(environment);
    return 0;
  }
  const auto known = std::ranges::find(plan.rank_groups, environment, &PlannedRanks::environment);
  if (known != plan.rank_groups.end()) return static_cast<std::size_t>(known - plan.rank_groups.begin());
  plan.rank_groups.push_back({std::move(environment), {}});
  return plan.rank_groups.size() - 1;
}

// NCCL makes eager calls dearer in a process in which something was captured before (2.28.9,
// src/misc/strongstream.cc:169-173), so these come first.
void put_eager_first(Plan& plan) {
  std::ranges::stable_partition(plan.groups, [&](const CaseGroup& group) {
    return plan.cases[group.cases.front()].params.mode == Mode::eager;
  });
}

std::chrono::nanoseconds estimate(const Plan& plan) {
  const SweepRequest& request = plan.request;
  double least = 0;
  double most = 0;
  for (const CaseGroup& group : plan.groups) {
    for (const std::size_t index : group.cases) {
      const double call = estimate_call_ns(plan.cases[index].params);
      const double turn = std::max(8e6, call) + 2e5;
      least += 20 * call + request.min_rounds * std::min(turn, 12 * call * request.calls_per_sample);
      most += 20 * call + request.max_rounds * turn;
    }
  }
  const auto launches = static_cast<double>(request.launches);
  const double planned =
      std::clamp(static_cast<double>(request.budget.count()), least * launches, most * launches);
  return std::chrono::nanoseconds(static_cast<std::int64_t>(planned + 2e8 * launches));
}

// Plans the cases of the set, and names its strategies in full.
void add_cases(Plan& plan, CaseSet& set, const AdmissionContext& context) {
  const std::vector<const Strategy*> strategies = resolve(plan.request, set);
  set.strategies.clear();
  for (const Strategy* strategy : strategies) set.strategies.emplace_back(strategy->name());
  for (const Bytes bytes : set.sizes) {
    for (const DType dtype : set.dtypes) {
      for (const Mode mode : set.modes) {
        CaseGroup group;
        std::map<const Strategy*, int> entries;
        for (const Strategy* strategy : strategies) {
          PlannedCase planned;
          planned.strategy = strategy;
          planned.params = {.collective = set.collective,
                            .strategy = std::string(strategy->name()),
                            .family = std::string(strategy->family()),
                            .entry = entries[strategy]++,
                            .device = plan.request.device,
                            .mode = mode,
                            .bytes = bytes,
                            .dtype = dtype,
                            .ranks = plan.request.ranks,
                            .load = set.load};
          planned.skipped = strategy->admit(planned.params, context);
          planned.setting = strategy->setting(context);
          if (!planned.skipped) {
            planned.rank_group = rank_group_with(plan, strategy->environment(context));
            group.cases.push_back(plan.cases.size());
          }
          plan.cases.push_back(std::move(planned));
        }
        if (group.cases.empty()) continue;
        plan.groups.push_back(std::move(group));
        count_memory(plan, plan.groups.back());
      }
    }
  }
}

}  // namespace

// Within a repetition a buffer comes up again after all others, or never.
std::size_t cold_inputs(const SweepRequest& request, Bytes message) {
  if (request.input != InputState::cold) return 0;
  const std::uint64_t to_fill = 2 * request.cache.count / message.count + 1;
  return static_cast<std::size_t>(
      std::clamp<std::uint64_t>(to_fill, 2, static_cast<std::uint64_t>(request.calls_per_sample)));
}

Plan make_plan(const SweepRequest& request, const AdmissionContext& context) {
  Plan plan;
  plan.request = request;
  for (CaseSet& set : plan.request.cases) {
    check(request, set);
    add_cases(plan, set, context);
  }
  put_eager_first(plan);
  plan.estimate = estimate(plan);
  return plan;
}

Bytes device_memory_need(const Plan& plan) {
  Bytes sum;
  Bytes most;
  for (const PlannedRanks& ranks : plan.rank_groups) {
    const Bytes need = device_memory(
        {.kind = plan.request.device,
         .ranks = plan.request.ranks,
         .arena = ranks.arena_bytes,
         .evicted_cache = plan.request.input == InputState::cold ? plan.request.cache : Bytes{}});
    sum.count += need.count;
    most = std::max(most, need);
  }
  return plan.apart ? most : sum;
}

Bytes host_memory_need(const Plan& plan) {
  const std::uint64_t together = plan.apart ? 1 : plan.rank_groups.size();
  return {(device_memory_need(plan).count + together * plan.staging_bytes.count) *
          static_cast<std::uint64_t>(plan.request.ranks)};
}

void set_apart(Plan& plan) {
  plan.apart = true;
  std::vector<CaseGroup> apart;
  for (std::size_t ranks = 0; ranks < plan.rank_groups.size(); ++ranks) {
    for (const CaseGroup& group : plan.groups) {
      CaseGroup part{.cases = {}, .turn_group = static_cast<int>(ranks)};
      std::ranges::copy_if(group.cases, std::back_inserter(part.cases),
                           [&](std::size_t index) { return plan.cases[index].rank_group == ranks; });
      if (!part.cases.empty()) apart.push_back(std::move(part));
    }
  }
  plan.groups = std::move(apart);
}

void keep_groups(Plan& plan, const std::function<bool(const Case&)>& wanted) {
  std::vector<PlannedCase> cases;
  std::erase_if(plan.groups, [&](const CaseGroup& group) {
    return std::ranges::none_of(group.cases,
                                [&](std::size_t index) { return wanted(plan.cases[index].params); });
  });
  for (CaseGroup& group : plan.groups) {
    for (std::size_t& index : group.cases) {
      cases.push_back(std::move(plan.cases[index]));
      index = cases.size() - 1;
    }
  }
  plan.cases = std::move(cases);
}

}  // namespace ringside
