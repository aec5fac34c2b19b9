#include "worker/verify/verify_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/errors.hpp"
#include "base/hash_bytes.hpp"
#include "protocol/group_memory.hpp"
#include "worker/verify/check_parts.hpp"

namespace ringside {
namespace {

constexpr int kMostRanks = 16;  // for which set A is exact

// One call: its input is fed from golden[slot].
struct Step {
  std::size_t slot;
  std::byte* input;
  std::byte* output;
};

class CaseVerifier {
 public:
  CaseVerifier(RankDevice& device, PreparedCollective& collective, const Case& params,
               const Numerics& numerics, const VerifyPlan& plan, const VerifyBuffers& buffers,
               ProvenOutputs& proven)
      : device_(device),
        collective_(collective),
        params_(params),
        numerics_(numerics),
        plan_(plan),
        buffers_(buffers),
        proven_(proven),
        bytes_(params.count() * element_size(params.dtype)),
        output_bytes_(received_bytes(params, device.rank())),
        staging_(device.staging(staging_need(params).count)),
        host_(staging_.first(bytes_)),
        output_(staging_.first(output_bytes_)) {}

  VerifyReply verify() {
    verify_set(InputSet::exact, plan_.calls_exact);
    if (!plan_.brief) verify_set(InputSet::full_range, plan_.calls_full_range);
    return std::move(reply_);
  }

 private:
  void verify_set(InputSet set, int calls) {
    if (calls <= 0) return;
    if (plan_.brief) return run_burst(set, calls);
    std::byte* const first = buffers_.outputs.front();
    run("a single call", set, {{0, buffers_.input, first}}, plan_.replays);
    if (calls == 1) return;
    run_burst(set, calls);
    if (params_.collective == Collective::allreduce) run("a call in place", set, {{0, first, first}}, 1);
  }

  void run_burst(InputSet set, int calls) {
    std::vector<Step> burst;
    for (std::size_t i = 0; i < static_cast<std::size_t>(calls); ++i) {
      burst.push_back(
          {i % buffers_.golden.size(), buffers_.input, buffers_.outputs[i % buffers_.outputs.size()]});
    }
    run("back-to-back calls", set, burst, plan_.replays);
  }

  void run(std::string_view what, InputSet set, const std::vector<Step>& steps, int replays) {
    const auto workload = device_.make_workload(params_.mode, [&] {
      for (const Step& step : steps) {
        if (plan_.plain_producer)
          device_.enqueue_copy(step.input, buffers_.golden[step.slot], bytes_);
        else
          device_.enqueue_feed(step.input, buffers_.golden[step.slot], bytes_);
        collective_.enqueue(step.input, step.output);
      }
    });
    std::optional<std::uint32_t> last_replay;  // the input of its last call
    for (int replay = 0; replay < replays; ++replay) {
      load_fresh_inputs(set, steps);
      poison(steps);
      std::array<double, 1> time_ns;
      workload->repeat(time_ns);
      for (std::size_t i = 0; i < steps.size(); ++i) {
        if (overwritten(steps, i)) continue;
        CallContext context;
        context.call = static_cast<std::uint32_t>(i);
        context.before = i > 0 ? input_of(steps[i - 1]) : last_replay;
        if (i + 1 < steps.size()) context.after = input_of(steps[i + 1]);
        check(fmt::format("{} of set {}, replay {}", what, set == InputSet::exact ? "A" : "B", replay), set,
              steps[i], context);
      }
      last_replay = input_of(steps.back());
    }
  }

  static bool overwritten(const std::vector<Step>& steps, std::size_t index) {
    return std::any_of(steps.begin() + static_cast<std::ptrdiff_t>(index) + 1, steps.end(),
                       [&](const Step& later) { return later.output == steps[index].output; });
  }

  // No two replays see the same data, so what is left over from an earlier one shows.
  void load_fresh_inputs(InputSet set, const std::vector<Step>& steps) {
    first_input_ += static_cast<std::uint32_t>(buffers_.golden.size());
    for (std::size_t slot = 0; slot < buffers_.golden.size(); ++slot) {
      if (std::ranges::find(steps, slot, &Step::slot) == steps.end()) continue;
      fill_whole_input(key(set, first_input_ + static_cast<std::uint32_t>(slot)), host_, plan_.threads);
      device_.write(buffers_.golden[slot], host_);
    }
  }

  void poison(const std::vector<Step>& steps) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (!overwritten(steps, i)) device_.fill(steps[i].output, kPoison, output_bytes_);
    }
  }

  void check(const std::string& where, InputSet set, const Step& step, const CallContext& context) {
    device_.read(output_, step.output);
    const InputKey inputs = key(set, input_of(step));
    std::uint64_t bits = hash_bytes(output_, plan_.threads);
    if (!reply_.mismatch) {
      if (proven_.find(inputs, bytes_) != bits) {
        reply_.mismatch = compare(inputs, context);
        if (reply_.mismatch) reply_.mismatch->text = where + ": " + reply_.mismatch->text;
        // Only bits that no other order or rounding could give serve the other strategies.
        const bool bits_known = params_.collective == Collective::alltoall || set == InputSet::exact ||
                                (numerics_.rank_order && numerics_.single_rounding);
        if (!reply_.mismatch && bits_known) proven_.add(inputs, bytes_, bits);
      }
      ++reply_.calls;
      reply_.elements += output_bytes_ / element_size(params_.dtype);
    }
    if (set == InputSet::full_range) {
      canonicalize_nan(params_.dtype, output_);
      bits = hash_bytes(output_, plan_.threads);
    }
    reply_.hashes.push_back(bits);
  }

  std::optional<Mismatch> compare(const InputKey& inputs, const CallContext& context) const {
    if (params_.collective == Collective::alltoall) return check_parts(inputs, params_, output_, context);
    return check_output(inputs, device_.ranks(), numerics_, output_, context, plan_.threads);
  }

  InputKey key(InputSet set, std::uint32_t call) const {
    return {.set = set,
            .dtype = params_.dtype,
            .seed = plan_.seed + static_cast<std::uint64_t>(plan_.launch),
            .call = call,
            .rank = device_.rank()};
  }

  std::uint32_t input_of(const Step& step) const {
    return first_input_ + static_cast<std::uint32_t>(step.slot);
  }

  RankDevice& device_;
  PreparedCollective& collective_;
  const Case& params_;
  const Numerics& numerics_;
  const VerifyPlan& plan_;
  const VerifyBuffers& buffers_;
  ProvenOutputs& proven_;
  const std::size_t bytes_;
  const std::size_t output_bytes_;
  // What goes to the device and what comes back take turns in it.
  std::span<std::byte> staging_;
  std::span<std::byte> host_;      // one message
  std::span<std::byte> output_;    // what a call gave
  std::uint32_t first_input_ = 0;  // InputKey::call of the data in golden[0]
  VerifyReply reply_;
};

}  // namespace

VerifyReply verify_case(RankDevice& device, PreparedCollective& collective, const Case& params,
                        const Numerics& numerics, const VerifyPlan& plan, const VerifyBuffers& buffers,
                        ProvenOutputs& proven) {
  if (device.ranks() > kMostRanks) {
    throw InternalError(
        fmt::format("{} ranks can't be verified exactly, only {}", device.ranks(), kMostRanks));
  }
  if (buffers.golden.size() < 2 || buffers.outputs.empty()) {
    throw InternalError("verification needs two golden buffers and an output");
  }
  return CaseVerifier(device, collective, params, numerics, plan, buffers, proven).verify();
}

}  // namespace ringside
