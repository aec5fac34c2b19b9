#pragma once

#include <string_view>
#include <vector>

#include "served/model_facts.hpp"
#include "spec/estimate/gpu_prior.hpp"

namespace ringside {

// Time of kernels, and the part of it that would shrink in proportion with a faster arithmetic limit.
struct KernelCost {
  double us = 0;
  double compute_us = 0;

  KernelCost& operator+=(const KernelCost& other) {
    us += other.us;
    compute_us += other.compute_us;
    return *this;
  }
};

inline KernelCost operator*(double count, const KernelCost& cost) {
  return {count * cost.us, count * cost.compute_us};
}

// A fit and how a format is read by it.
struct FittedFormat {
  const KernelFit* fit = nullptr;
  double weight_bytes = 2;  // of a number, scales among them
  double activation_bytes = 2;
  double peak_factor = 1;  // of the bf16 peak
  double sigma = 0.1;      // of the log of time over fit
};

// The fit of a format; where this type of GPU has none, bf16's with the format's bytes and a wider sigma.
FittedFormat gemm_format(const GpuPrior& gpu, WeightFormat format);
FittedFormat expert_format(const GpuPrior& gpu, WeightFormat format);
// Factor of a server's own kernels for experts ("vllm"), at most so far from 1 that an untuned kernel in a
// table isn't taken for the server's; 1 for one that is not recorded.
double expert_server_factor(const FittedFormat& format, std::string_view server);

// [m, k] x [k, n] on one GPU.
KernelCost gemm_cost(const GpuPrior& gpu, const FittedFormat& format, double m, double n, double k);

// All routed experts of a layer on one GPU, apart from the number of experts that are hit: that depends on
// how much the routing of a batch repeats itself.
struct ExpertCall {
  double calls = 0;  // layers
  double t0_us = 0;
  double per_hit_us = 0;  // fixed, of an expert that is hit
  double read_us = 0;     // weights of one expert
  double activation_us = 0;
  double compute_us = 0;  // arithmetic
  double experts = 0;     // of this GPU
  double log_miss = 0;    // log(1 - experts of a token / experts)
  double tokens = 0;      // that are routed

  // Experts that are hit: `repeat` = 1 is independent routing, smaller ones repeat themselves.
  double hit(double repeat) const;
  // `per_compute`: one over the arithmetic that is reached, relative to the fit.
  double us(double repeat, double per_compute) const;
};

ExpertCall expert_call(const GpuPrior& gpu, const LayerGroup& group, int hidden, double tokens, int cut,
                       int groups);

// Attention of a decode or verify pass of one layer on one GPU. heads and kv_heads are this GPU's; each of
// `sequences` has `rows` queries over `context` tokens, which are read once.
struct AttentionShape {
  double sequences = 1;
  double rows = 1;
  double context = 1024;
  double heads = 1;
  double kv_heads = 1;
  double kv_bytes = 2;  // of a number
};

KernelCost attention_cost(const GpuPrior& gpu, const LayerGroup& group, const AttentionShape& shape);

// One sigma of the log of attention's time over its fit.
double attention_sigma(const GpuPrior& gpu, const LayerGroup& group, double kv_bytes);

}  // namespace ringside
