#include "gpu/kernel_bench/tune.hpp"

#include <algorithm>
#include <cstdio>

namespace ringside::bench {
namespace {

struct Timed {
  kernels::LaunchShape shape;
  double us;
};

// A compute kernel of about the length of a small matrix-vector product, on memory that stays in the cache.
constexpr std::size_t kComputeFloats = std::size_t{1} << 20;

std::vector<kernels::LaunchShape> shapes_for(const Family& family, std::size_t bytes, const Lab& lab,
                                             int ranks, const TuneOptions& options) {
  std::vector<kernels::LaunchShape> shapes;
  if (options.shapes_of_family) {
    shapes.push_back(family.shape(bytes, ranks, lab.multiprocessors()));
  } else {
    const std::size_t vectors = (bytes + 15) / 16;
    for (int threads = 32; threads <= 1024; threads *= 2) {
      for (const std::size_t each : {1u, 2u, 4u}) {
        const std::size_t per_block = static_cast<std::size_t>(threads) * each;
        const int blocks = static_cast<int>((vectors + per_block - 1) / per_block);
        const int most = lab.multiprocessors() * (threads <= 512 ? 2 : 1);
        if (blocks <= most) shapes.push_back({blocks, threads, false});
      }
      if (vectors < 16384 || threads < 256) continue;
      for (const int blocks : {32, 64, lab.multiprocessors(), 2 * lab.multiprocessors()}) {
        if (threads * blocks <= 1024 * 2 * lab.multiprocessors()) shapes.push_back({blocks, threads, false});
      }
    }
  }
  const std::size_t plain = shapes.size();
  for (std::size_t i = 0; i < plain; ++i) shapes.push_back({shapes[i].blocks, shapes[i].threads, true});
  return shapes;
}

double time_one(Lab& lab, const Family& family, std::size_t bytes, const kernels::LaunchShape& shape,
                const TuneOptions& options, double compute_us) {
  const CallData data{lab.inputs(), lab.outputs(), bytes / 2, kernels::Element::bf16};
  const int calls = bytes >= (std::size_t{32} << 20) ? 30 : options.calls;
  const auto call = [&] {
    if (options.between) {
      launch_compute(reinterpret_cast<float*>(lab.inputs() + Lab::kDataBytes / 2), kComputeFloats,
                     lab.stream());
    }
    lab.launch(family, data, shape);
  };
  const double us = options.eager ? lab.time_eager(call, calls, options.repetitions)
                                  : lab.time_graph(call, calls, options.repetitions);
  return us - compute_us;
}

void show(const char* kind, std::vector<Timed>& all, const TuneOptions& options) {
  std::sort(all.begin(), all.end(), [](const Timed& a, const Timed& b) { return a.us < b.us; });
  std::printf("  %s", kind);
  for (std::size_t i = 0; i < all.size() && i < static_cast<std::size_t>(options.shown); ++i) {
    std::printf("  %7.2f (%3dx%-4d)", all[i].us, all[i].shape.blocks, all[i].shape.threads);
  }
}

}  // namespace

void tune(Lab& lab, const TuneOptions& options) {
  double compute_us = 0;
  if (options.between) {
    const auto compute = [&] {
      launch_compute(reinterpret_cast<float*>(lab.inputs() + Lab::kDataBytes / 2), kComputeFloats,
                     lab.stream());
    };
    compute_us = lab.time_graph(compute, options.calls, options.repetitions);
    if (lab.ranks().rank() == 0) std::printf("compute between calls: %.2f us, taken off\n", compute_us);
  }
  for (const std::size_t bytes : options.sizes) {
    for (const Family* chosen : find_families(options.families)) {
      const Family& family = *chosen;
      if (bytes > family.largest_message) continue;
      std::vector<Timed> plain;
      std::vector<Timed> dependent;
      for (const auto& shape : shapes_for(family, bytes, lab, lab.ranks().size(), options)) {
        const double us = time_one(lab, family, bytes, shape, options, compute_us);
        (shape.dependent ? dependent : plain).push_back({shape, us});
      }
      if (lab.ranks().rank() != 0) continue;
      std::printf("%9zu %-14.*s", bytes, static_cast<int>(family.name.size()), family.name.data());
      show("plain", plain, options);
      show(" pdl", dependent, options);
      std::printf("\n");
      std::fflush(stdout);
    }
  }
}

}  // namespace ringside::bench
