#include "worker/measure_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/errors.hpp"
#include "base/nvtx_listener.hpp"
#include "protocol/requests.hpp"

namespace ringside {
namespace {

std::string nothing() {
  return "{}";
}

// Nsight Systems begins and ends to record the processes beside the one with the range a while later.
constexpr std::chrono::milliseconds kProfilerSettles{500};

// How a profiler calls a case; its size stands beside, as the range's number.
std::string range_name(const Case& params) {
  return fmt::format("{} {} {}", entry_name(params), to_string(params.dtype), to_string(params.mode));
}

// A phase on a profiler's time line, and in it the case.
class CaseRange {
 public:
  CaseRange(NvtxNames& names, const char* phase, const Case& params)
      : phase_(names[phase]),
        case_(names[range_name(params)], static_cast<std::int64_t>(params.bytes.count)) {}

 private:
  NvtxRange phase_;
  NvtxRange case_;
};

}  // namespace

std::string MeasureSession::handle(const std::string& text) {
  const Request request = decode_request(text);
  if (const auto* begin = std::get_if<BeginGroup>(&request)) {
    begin_group(*begin);
    return nothing();
  }
  if (const auto* prepare_request = std::get_if<Prepare>(&request)) {
    try {
      return encode(prepare(prepare_request->slot, prepare_request->params));
    } catch (const UnavailableError& error) {
      return encode(PrepareReply{0, error.what(), std::nullopt});
    }
  }
  if (const auto* verify_request = std::get_if<Verify>(&request)) {
    VerifyPlan plan = verify_request->plan;
    plan.threads = device_.helper_threads();
    return encode(verify(verify_request->slot, plan));
  }
  if (const auto* check = std::get_if<CheckCalls>(&request))
    return encode(check_calls(check->slot, check->plan));
  if (const auto* sample_request = std::get_if<Sample>(&request)) return encode(sample(*sample_request));
  if (const auto* skew = std::get_if<MeasureSkew>(&request)) return encode(SampleReply{measure_skew(*skew)});
  if (const auto* step = std::get_if<SampleStep>(&request)) return encode(SampleReply{sample_step(*step)});
  if (const auto* range = std::get_if<ProfilerRange>(&request)) {
    set_profiler_range(range->open);
    return nothing();
  }
  if (const auto* limits = std::get_if<MeasureLimits>(&request)) {
    const PhaseScope scope(cell_, Phase::preparing);
    const NvtxRange init(names_["init"]);
    return encode(device_.measure_limits(limits->message));
  }
  end_group();
  return nothing();
}

void MeasureSession::begin_group(const BeginGroup& group) {
  end_group();  // an attempt before this one may have ended half-way
  const PhaseScope scope(cell_, Phase::preparing);
  const NvtxRange init(names_["init"]);
  base_ = device_.arena().used();
  shared_ = allocate_group(device_.arena(), group);
  seed_ = group.seed;
}

void MeasureSession::end_group() {
  if (!base_) return;
  const PhaseScope scope(cell_, Phase::releasing);
  profiler_range_.reset();  // where a case failed inside it
  const NvtxRange teardown(names_["teardown"]);
  device_.bootstrap().barrier();  // no peer is still at work in this memory
  entries_.clear();
  shared_ = {};
  known_.reset();
  device_.arena().rewind(*base_);
  base_.reset();
}

PrepareReply MeasureSession::prepare(int slot, const Case& params) {
  const Strategy* strategy = find_strategy(params.strategy, params.device);
  if (strategy == nullptr) throw InternalError("a rank does not know strategy " + params.strategy);
  Entry entry;
  entry.params = params;
  entry.strategy = strategy;
  const CaseRange range(names_, "init", params);
  const NvtxListener nccl("NCCL");
  {
    const PhaseScope scope(cell_, Phase::preparing);
    entry.buffers = allocate_case(device_.arena(), params);
    paint_red_zones(device_, entry.buffers);
    if (!known_) make_known_data(params);
    device_.run([&] { device_.enqueue_copy(entry.buffers.input, shared_.known, params.bytes.count); });
    entry.collective = strategy->prepare(device_, params);
  }
  const PhaseScope scope(cell_, Phase::first_call);
  device_.bootstrap().barrier();
  const auto begin = std::chrono::steady_clock::now();
  device_.run([&] { entry.collective->enqueue(entry.buffers.input, entry.buffers.output); });
  const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
  PrepareReply reply{time.count(), std::nullopt, std::nullopt, nccl.ranges()};
  if (const std::optional<LibraryReport> report = library_report(entry)) {
    reply.ran = report->ran;
    reply.channels = report->channels;
  }
  if (const std::optional<StrategyChoice>& choice = entry.collective->choice()) {
    reply.ran = choice->ran;
    reply.chosen_by = choice->chosen_by;
    reply.choice_problem = choice->problem;
  }
  entries_.insert_or_assign(slot, std::move(entry));
  return reply;
}

void MeasureSession::make_known_data(const Case& params) {
  const std::span<std::byte> block = device_.staging(staging_need(params).count);
  known_.emplace(params, device_.rank(), seed_, block, device_.helper_threads());
  device_.write(shared_.known, block.first(KnownData::block_bytes(params.bytes)));
  device_.run([&] {
    for (std::size_t i = 0; i < shared_.cold.size(); ++i) {
      const std::byte* source = shared_.known + KnownData::offset(i % known_->windows());
      device_.enqueue_copy(shared_.cold[i], source, params.bytes.count);
    }
  });
}

// What the library ran, in a group that reports. A case in a graph is asked about a call that is captured:
// the first one was eager.
std::optional<LibraryReport> MeasureSession::library_report(Entry& entry) {
  if (!entry.collective->reports()) return std::nullopt;
  const std::optional<LibraryReport> first = entry.collective->report();
  if (entry.params.mode != Mode::graph) return first;
  const auto captured = device_.make_workload(
      Mode::graph, [&] { entry.collective->enqueue(entry.buffers.input, entry.buffers.output); });
  return entry.collective->report();
}

VerifyReply MeasureSession::verify(int slot, const VerifyPlan& plan) {
  const PhaseScope scope(cell_, Phase::verifying);
  Entry& candidate = entry(slot);
  const CaseRange range(names_, "verify", candidate.params);
  return verify_case(device_, *candidate.collective, candidate.params, candidate.strategy->numerics(), plan,
                     {shared_.golden, candidate.buffers.input, shared_.outputs}, proven_);
}

CallReply MeasureSession::check_calls(int slot, const CallPlan& plan) {
  const PhaseScope scope(cell_, Phase::verifying);
  Entry& candidate = entry(slot);
  const CaseRange range(names_, "verify", candidate.params);
  return ringside::check_calls(device_, *candidate.collective, candidate.params, plan, *known_,
                               checked_buffers(candidate));
}

CheckedBuffers MeasureSession::checked_buffers(const Entry& candidate) const {
  return {candidate.buffers, shared_.known, shared_.golden.front()};
}

SampleReply MeasureSession::sample(const Sample& request) {
  const PhaseScope scope(cell_, Phase::timing);
  Entry& candidate = entry(request.slot);
  if (candidate.workload_calls != request.calls || candidate.workload_timed != request.timed) {
    candidate.workload.reset();
    candidate.workload = timed_workload(candidate, request.calls, request.timed);
    candidate.workload_calls = request.calls;
    candidate.workload_timed = request.timed;
  }
  SampleReply reply;
  reply.times_ns.resize(static_cast<std::size_t>(request.repetitions) + (request.warm_up ? 1 : 0));
  const char* const phase = request.timed == Timed::touch ? "touch" : request.counts ? "measure" : "warmup";
  const CaseRange range(names_, phase, candidate.params);
  std::optional<RepetitionCheck::Fixed> fixed;
  if (!shared_.cold.empty()) {
    const std::size_t last = (static_cast<std::size_t>(request.calls) - 1) % shared_.cold.size();
    fixed = {last % known_->windows(), shared_.cold[last]};
  }
  candidate.check->begin(reply.times_ns.size(), fixed);
  watch_.begin();
  candidate.workload->repeat(reply.times_ns);
  reply.conditions = watch_.end();
  if (request.timed != Timed::touch) reply.wrong = candidate.check->wrong();
  if (request.warm_up) reply.times_ns.erase(reply.times_ns.begin());
  return reply;
}

std::unique_ptr<Workload> MeasureSession::timed_workload(Entry& candidate, int calls, Timed timed) {
  if (!candidate.check) {
    candidate.check = std::make_unique<RepetitionCheck>(device_, *known_, checked_buffers(candidate),
                                                        candidate.params.bytes);
  }
  RepetitionCheck& check = *candidate.check;
  const CaseBuffers& own = candidate.buffers;
  if (timed != Timed::calls) {
    const auto touched = [this, &candidate, &check, &own, calls, timed] {
      for (std::size_t call = 0; call < static_cast<std::size_t>(calls); ++call) {
        check.feed(call);
        if (timed == Timed::fresh) candidate.collective->enqueue(own.input, own.output);
        device_.enqueue_use(own.output, known_->output_bytes());
      }
    };
    if (timed == Timed::touch) return device_.make_workload(candidate.params.mode, touched);
    return device_.make_workload(
        candidate.params.mode, touched,
        {.before = [&check] { check.before(); }, .after = [&check] { check.after(); }});
  }
  const auto enqueue = [this, &candidate, &own, calls] {
    for (std::size_t call = 0; call < static_cast<std::size_t>(calls); ++call) {
      const std::vector<std::byte*>& cold = shared_.cold;
      candidate.collective->enqueue(cold.empty() ? own.input : cold[call % cold.size()], own.output);
    }
  };
  const auto before = [this, &check] {
    check.before();
    if (!shared_.cold.empty()) device_.enqueue_eviction();
  };
  return device_.make_workload(candidate.params.mode, enqueue,
                               {.before = before, .after = [&check] { check.after(); }});
}

// Rank 0 alone opens it, and nobody runs anything from before it begins until all ranks are recorded, nor
// from before it ends until none is any more: what is recorded is what was asked for while it was open.
void MeasureSession::set_profiler_range(bool open) {
  const PhaseScope scope(cell_, Phase::timing);
  device_.bootstrap().barrier();
  if (device_.rank() == 0 && open) {
    device_.start_profiler();
    profiler_range_.emplace(names_[kProfilerRange]);
  } else if (device_.rank() == 0) {
    profiler_range_.reset();
    device_.stop_profiler();
  }
  std::this_thread::sleep_for(kProfilerSettles);
  device_.bootstrap().barrier();
}

// One call a repetition, for which the last rank comes late. The delay is a part of that rank's time.
std::vector<double> MeasureSession::measure_skew(const MeasureSkew& request) {
  const PhaseScope scope(cell_, Phase::timing);
  Entry& candidate = entry(request.slot);
  const bool late = device_.rank() == device_.ranks() - 1;
  const auto workload = device_.make_workload(candidate.params.mode, [&] {
    if (late) device_.enqueue_delay(request.delay);
    candidate.collective->enqueue(candidate.buffers.input, candidate.buffers.output);
  });
  std::vector<double> times(static_cast<std::size_t>(request.repetitions));
  workload->repeat(times);
  return times;
}

// The first repetition warms the step up and is dropped.
std::vector<double> MeasureSession::sample_step(const SampleStep& request) {
  const PhaseScope scope(cell_, Phase::timing);
  const bool late = device_.rank() == device_.ranks() - 1;
  const auto workload = device_.make_workload(request.mode, [&] {
    for (const StepPart& part : request.parts) {
      const auto idle = part.compute + (late ? request.skew : std::chrono::nanoseconds(0));
      if (idle.count() > 0) device_.enqueue_delay(idle);
      if (request.silent) continue;
      Entry& candidate = entry(part.slot);
      candidate.collective->enqueue(candidate.buffers.input, candidate.buffers.output);
    }
  });
  std::vector<double> times(static_cast<std::size_t>(request.repetitions) + 1);
  workload->repeat(times);
  times.erase(times.begin());
  return times;
}

MeasureSession::Entry& MeasureSession::entry(int slot) {
  const auto found = entries_.find(slot);
  if (found == entries_.end()) throw InternalError("a rank was asked about a case that it has not prepared");
  return found->second;
}

}  // namespace ringside
