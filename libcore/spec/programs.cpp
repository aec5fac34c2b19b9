#include "spec/programs.hpp"

#include <algorithm>

namespace ringside {
namespace {

// The cases of one entry in one mode, by collective and size.
class Cases {
 public:
  Cases(const Plan& plan, const Document& document) : plan_(plan), document_(document) {}

  bool usable(std::size_t index) const {
    const Row& row = document_.rows[index];
    return row.status == Status::pass && row.time.has_value();
  }

  // The same entry as that of `like`, at another size; nothing when it has no time.
  std::optional<std::size_t> find(std::size_t like, Bytes bytes) const {
    const Case& wanted = plan_.cases[like].params;
    for (std::size_t index = 0; index < plan_.cases.size(); ++index) {
      const Case& params = plan_.cases[index].params;
      const bool same = params.collective == wanted.collective && params.strategy == wanted.strategy &&
                        params.entry == wanted.entry && params.mode == wanted.mode && params.bytes == bytes;
      if (same && usable(index)) return index;
    }
    return std::nullopt;
  }

  // Usable cases of the collective at this size.
  std::vector<std::size_t> all(Collective collective, Bytes bytes) const {
    std::vector<std::size_t> found;
    for (std::size_t index = 0; index < plan_.cases.size(); ++index) {
      const Case& params = plan_.cases[index].params;
      if (params.collective == collective && params.bytes == bytes && usable(index)) found.push_back(index);
    }
    return found;
  }

  // Without a setting of its own: that would hold for the other collectives of a server too.
  std::optional<std::size_t> fastest(Collective collective, Bytes bytes, Mode mode) const {
    std::optional<std::size_t> best;
    for (const std::size_t index : all(collective, bytes)) {
      if (plan_.cases[index].params.mode != mode || plan_.cases[index].setting) continue;
      if (!best || document_.rows[index].time->median_ns < document_.rows[*best].time->median_ns)
        best = index;
    }
    return best;
  }

 private:
  const Plan& plan_;
  const Document& document_;
};

// Each layer: the attention's allreduce, then the experts' two all-to-alls or the dense layer's allreduce. As
// many allreduces as the model has, should it have more or fewer than that.
std::vector<std::size_t> expert_calls(const SpecScenario& scenario, std::size_t allreduce,
                                      std::size_t dispatch, std::size_t combine) {
  const ModelShape& model = scenario.model;
  std::vector<std::size_t> calls;
  int left = std::max(model.allreduces - model.moe_layers, 0);
  const auto reduce = [&] {
    if (left-- > 0) calls.push_back(allreduce);
  };
  for (int layer = 0; layer < model.layers; ++layer) {
    reduce();
    if (layer < model.layers - model.moe_layers) {
      reduce();
    } else {
      calls.insert(calls.end(), {dispatch, combine});
    }
  }
  while (left > 0) reduce();
  return calls;
}

}  // namespace

std::vector<StepProgram> step_programs(const SpecScenario& scenario, const Plan& plan,
                                       const Document& document, std::chrono::nanoseconds compute,
                                       std::chrono::nanoseconds skew) {
  const Cases cases(plan, document);
  const ModelShape& model = scenario.model;
  const SpeculationShape& shape = scenario.speculation;
  std::vector<StepProgram> programs;
  const auto add = [&](const char* step, const std::string& candidate, Mode mode,
                       std::vector<std::size_t> calls, bool computes) {
    StepProgram program{step, candidate, mode, std::move(calls), {}, {}};
    if (program.calls.empty()) return;
    if (computes) {
      program.compute = compute * model.layers / static_cast<std::int64_t>(program.calls.size());
      program.skew = skew;
    }
    programs.push_back(std::move(program));
  };
  const auto times = [](int count, std::size_t index) {
    return std::vector<std::size_t>(static_cast<std::size_t>(count), index);
  };
  const Bytes verify = message_bytes(model, shape.verify_tokens());
  const Bytes plain = message_bytes(model, shape.batch);
  const Bytes draft = message_bytes(model, std::int64_t{shape.batch} * shape.top_k);
  for (const std::size_t index : cases.all(Collective::allreduce, verify)) {
    const Case& params = plan.cases[index].params;
    const std::string name = entry_name(params);
    add("verify", name, params.mode, times(model.allreduces, index), false);
    if (compute.count() > 0) add("verify", name, params.mode, times(model.allreduces, index), true);
    if (const auto found = cases.find(index, plain)) {
      add("plain", name, params.mode, times(model.allreduces, *found), false);
      if (compute.count() > 0) add("plain", name, params.mode, times(model.allreduces, *found), true);
    }
    if (const auto found = cases.find(index, draft))
      add("draft", name, params.mode, times(shape.draft_allreduces, *found), false);
  }
  const Bytes dispatch = dispatch_bytes(scenario, shape.verify_tokens());
  const Bytes combine = combine_bytes(scenario, shape.verify_tokens());
  for (const std::size_t index :
       model.moe_layers > 0 ? cases.all(Collective::alltoall, dispatch) : std::vector<std::size_t>{}) {
    const Case& params = plan.cases[index].params;
    const auto back = cases.find(index, combine);
    const auto allreduce = cases.fastest(Collective::allreduce, verify, params.mode);
    if (!back || !allreduce) continue;
    const std::string name = entry_name(plan.cases[*allreduce].params) + " + " + entry_name(params);
    add("verify", name, params.mode, expert_calls(scenario, *allreduce, index, *back), false);
    if (compute.count() > 0)
      add("verify", name, params.mode, expert_calls(scenario, *allreduce, index, *back), true);
  }
  return programs;
}

}  // namespace ringside
