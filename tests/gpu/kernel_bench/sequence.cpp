#include "gpu/kernel_bench/sequence.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>

namespace ringside::bench {
namespace {

struct Call {
  const Family* family;
  CallData data;
  kernels::LaunchShape shape;
  bool delayed;
};

struct Sequence {
  std::vector<Call> calls;
  CallData* on_device = nullptr;
  int delayed_rank = 0;
  cudaGraphExec_t graph = nullptr;
};

std::size_t size_of(kernels::Element element) {
  return element == kernels::Element::fp32 ? 4 : 2;
}

// Draws the same on all ranks.
class Drawer {
 public:
  explicit Drawer(std::uint64_t seed) : engine_(seed) {}
  int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(engine_); }
  bool one_in(int n) { return below(n) == 0; }
  // Log-uniform from 1 to `most`.
  std::size_t up_to(std::size_t most) {
    const double exponent = std::uniform_real_distribution<double>(0, std::log(double(most) + 0.99))(engine_);
    return std::clamp<std::size_t>(static_cast<std::size_t>(std::exp(exponent)), 1, most);
  }

 private:
  std::mt19937_64 engine_;
};

kernels::LaunchShape draw_shape(Drawer& draw, const Lab& lab) {
  kernels::LaunchShape shape;
  shape.blocks = static_cast<int>(draw.up_to(static_cast<std::size_t>(lab.multiprocessors())));
  shape.threads = 32 << draw.below(5);
  return shape;
}

Call draw_call(Drawer& draw, Lab& lab, const SequenceOptions& options, std::size_t offset) {
  const std::vector<const Family*> choice = find_families(options.families);
  Call call{};
  call.family = choice[static_cast<std::size_t>(draw.below(static_cast<int>(choice.size())))];
  call.data.element = static_cast<kernels::Element>(draw.below(3));
  const std::size_t element = size_of(call.data.element);
  const std::size_t most = std::min(options.largest, call.family->largest_message);
  call.data.count = std::max<std::size_t>(1, draw.up_to(most) / element);
  if (draw.one_in(2)) call.data.count = (call.data.count + 15) / 16 * 16;
  call.data.count = std::min(call.data.count, most / element);
  const std::size_t shift = draw.one_in(4) ? element * static_cast<std::size_t>(draw.below(8)) : 0;
  const std::size_t other_shift = draw.one_in(4) ? element * static_cast<std::size_t>(draw.below(8)) : 0;
  call.data.input = lab.inputs() + offset + shift;
  call.data.output = draw.one_in(2) ? call.data.input : lab.outputs() + offset + other_shift;
  call.shape = call.family->shape(call.data.count * element, lab.ranks().size(), lab.multiprocessors());
  if (draw.one_in(2)) call.shape = draw_shape(draw, lab);
  if (call.family->shapes_may_differ && draw.one_in(4)) {
    for (int r = 0; r < lab.ranks().size(); ++r) {
      const kernels::LaunchShape shape = draw_shape(draw, lab);
      if (r == lab.ranks().rank()) call.shape = shape;
    }
  }
  call.shape.dependent = draw.one_in(2);
  call.delayed = draw.one_in(8);
  return call;
}

void enqueue(Lab& lab, const Sequence& sequence, const SequenceOptions& options) {
  const int count = static_cast<int>(sequence.calls.size());
  launch_fill(sequence.on_device, count, lab.ranks().rank(), lab.burst(), lab.stream());
  std::uint32_t salt = 0;
  for (const Call& call : sequence.calls) {
    ++salt;
    if (options.delay_ns != 0 && call.delayed && lab.ranks().rank() == sequence.delayed_rank) {
      launch_random_delay(lab.burst(), salt, options.delay_ns, lab.stream());
    }
    lab.launch(*call.family, call.data, call.shape);
  }
  launch_check(sequence.on_device, count, lab.ranks().size(), lab.burst(), lab.verdict(), lab.stream());
}

Sequence draw_sequence(Drawer& draw, Lab& lab, const SequenceOptions& options) {
  Sequence sequence;
  std::size_t offset = 0;
  for (int i = 0; i < options.calls; ++i) {
    const Call call = draw_call(draw, lab, options, offset);
    const std::size_t bytes = call.data.count * size_of(call.data.element) + 64;
    offset += (bytes + 255) / 256 * 256;
    if (offset > Lab::kDataBytes) break;
    sequence.calls.push_back(call);
  }
  sequence.delayed_rank = draw.below(lab.ranks().size());
  std::vector<CallData> data;
  for (const Call& call : sequence.calls) data.push_back(call.data);
  check(cudaMalloc(&sequence.on_device, data.size() * sizeof(CallData)), "cudaMalloc");
  check(cudaMemcpy(sequence.on_device, data.data(), data.size() * sizeof(CallData), cudaMemcpyHostToDevice),
        "cudaMemcpy");
  sequence.graph = lab.capture([&] { enqueue(lab, sequence, options); });
  return sequence;
}

void describe(const Verdict& verdict, int rank) {
  std::printf(
      "rank %d: %llu of %llu elements wrong; first: burst %u, call %u, element %llu: %08x, not %08x\n", rank,
      verdict.wrong, verdict.checked, verdict.burst, verdict.call, verdict.element, verdict.got,
      verdict.expected);
}

}  // namespace

SequenceResult play_sequences(Lab& lab, const SequenceOptions& options) {
  Drawer draw(options.seed);
  std::vector<Sequence> sequences;
  for (int i = 0; i < options.sequences; ++i) sequences.push_back(draw_sequence(draw, lab, options));
  check(cudaMemsetAsync(lab.verdict(), 0, sizeof(Verdict), lab.stream()), "cudaMemset");

  SequenceResult result;
  const auto start = std::chrono::steady_clock::now();
  for (int play = 0; play < options.plays; ++play) {
    if (draw.one_in(8)) lab.set_calls(kCallsNearEnd);
    const Sequence& sequence = sequences[static_cast<std::size_t>(draw.below(options.sequences))];
    if (draw.one_in(4)) {
      enqueue(lab, sequence, options);
    } else {
      check(cudaGraphLaunch(sequence.graph, lab.stream()), "cudaGraphLaunch");
    }
    result.calls += sequence.calls.size();
    if (play % 16 == 15) lab.finish();
  }
  lab.finish();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  Verdict verdict;
  check(cudaMemcpy(&verdict, lab.verdict(), sizeof verdict, cudaMemcpyDeviceToHost), "cudaMemcpy");
  if (verdict.wrong != 0) describe(verdict, lab.ranks().rank());
  result.checked = verdict.checked;
  result.wrong = static_cast<unsigned long long>(lab.ranks().max(static_cast<double>(verdict.wrong)));
  for (const Sequence& sequence : sequences) {
    check(cudaGraphExecDestroy(sequence.graph), "cudaGraphExecDestroy");
    check(cudaFree(sequence.on_device), "cudaFree");
  }
  return result;
}

}  // namespace ringside::bench
