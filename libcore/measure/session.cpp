#include "measure/session.hpp"

#include <algorithm>
#include <chrono>

#include "base/errors.hpp"
#include "measure/protocol.hpp"
#include "measure/verify/inputs.hpp"

namespace ringside {
namespace {

std::string nothing() {
  return "{}";
}

}  // namespace

std::string MeasureSession::handle(const std::string& text) {
  const Request request = decode_request(text);
  if (const auto* begin = std::get_if<BeginGroup>(&request)) {
    begin_group(begin->message, begin->pool);
    return nothing();
  }
  if (const auto* prepare_request = std::get_if<Prepare>(&request)) {
    return encode(PrepareReply{prepare(prepare_request->slot, prepare_request->params)});
  }
  if (const auto* verify_request = std::get_if<Verify>(&request)) {
    return encode(verify(verify_request->slot, verify_request->plan));
  }
  if (const auto* sample_request = std::get_if<Sample>(&request)) {
    return encode(
        SampleReply{sample(sample_request->slot, sample_request->calls, sample_request->repetitions)});
  }
  if (const auto* limits = std::get_if<MeasureLimits>(&request)) {
    const PhaseScope scope(cell_, Phase::preparing);
    return encode(device_.measure_limits(limits->message));
  }
  end_group();
  return nothing();
}

void MeasureSession::begin_group(Bytes message, std::size_t pool) {
  end_group();  // an attempt before this one may have ended half-way
  const PhaseScope scope(cell_, Phase::preparing);
  base_ = device_.arena().used();
  for (std::size_t i = 0; i < pool; ++i) {
    golden_.push_back(device_.arena().allocate(message));
    outputs_.push_back(device_.arena().allocate(message));
  }
}

void MeasureSession::end_group() {
  if (!base_) return;
  const PhaseScope scope(cell_, Phase::releasing);
  device_.exchange().barrier();  // no peer is still at work in this memory
  entries_.clear();
  golden_.clear();
  outputs_.clear();
  device_.arena().rewind(*base_);
  base_.reset();
}

double MeasureSession::prepare(int slot, const Case& params) {
  const Strategy* strategy = find_strategy(params.strategy, params.device);
  if (strategy == nullptr) throw InternalError("a rank does not know strategy " + params.strategy);
  Entry entry;
  entry.params = params;
  entry.strategy = strategy;
  {
    const PhaseScope scope(cell_, Phase::preparing);
    entry.input = device_.arena().allocate(params.bytes);
    entry.output = device_.arena().allocate(params.bytes);
    std::vector<std::byte> data(params.bytes.count);
    fill_input({.dtype = params.dtype, .rank = device_.rank()}, 0, data);
    device_.write(entry.input, data);
    entry.collective = strategy->prepare(device_, params);
  }
  const PhaseScope scope(cell_, Phase::first_call);
  device_.exchange().barrier();
  const auto begin = std::chrono::steady_clock::now();
  device_.run([&] { entry.collective->enqueue(entry.input, entry.output); });
  const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
  entries_.insert_or_assign(slot, std::move(entry));
  return time.count();
}

VerifyReply MeasureSession::verify(int slot, const VerifyPlan& plan) {
  const PhaseScope scope(cell_, Phase::verifying);
  Entry& contestant = entry(slot);
  return verify_case(device_, *contestant.collective, contestant.params, contestant.strategy->numerics(),
                     plan, {golden_, contestant.input, outputs_});
}

std::vector<double> MeasureSession::sample(int slot, int calls, int repetitions) {
  const PhaseScope scope(cell_, Phase::timing);
  Entry& contestant = entry(slot);
  if (contestant.workload_calls != calls) {
    contestant.workload.reset();
    contestant.workload = device_.make_workload(contestant.params.mode, [&contestant, calls] {
      for (int call = 0; call < calls; ++call)
        contestant.collective->enqueue(contestant.input, contestant.output);
    });
    contestant.workload_calls = calls;
  }
  // The first repetition finds other contestants' data in the caches.
  std::vector<double> times(static_cast<std::size_t>(repetitions) + 1);
  contestant.workload->repeat(times);
  times.erase(times.begin());
  return times;
}

MeasureSession::Entry& MeasureSession::entry(int slot) {
  const auto found = entries_.find(slot);
  if (found == entries_.end()) throw InternalError("a rank was asked about a case that it has not prepared");
  return found->second;
}

}  // namespace ringside
