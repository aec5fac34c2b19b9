#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/interval.hpp"
#include "scenario/catalogue.hpp"
#include "served/model_facts.hpp"

namespace ringside {

// A fitted kernel: t = t0 + per x n + smax(bytes / (bandwidth x bw), flop / (peak x flops)), in microseconds,
// with smax(a, b) = (a^4 + b^4)^(1/4). What n is differs by kind of kernel.
struct KernelFit {
  double t0_us = 0;
  double per_us = 0;     // GEMM: each 1024 of K; experts: each expert that is hit; attention: each sequence
  double bandwidth = 1;  // fraction of the data sheet's
  double flops = 1;
  Interval time_90{1, 1};  // measured over fitted, 5 % and 95 %, over shapes and frameworks
  std::map<std::string, double, std::less<>> by_server{};  // factor of one server's own kernels
};

// Fits of one type of GPU (scenarios/compute/gpus.toml). Formats: "bfloat16", "fp8", "fp8_block", "nvfp4",
// "int8", "int4", "mxfp4", "mxfp4_fp8".
struct GpuPrior {
  std::string name;  // "h100_sxm"
  std::string gpu;   // "H100 SXM"
  std::vector<std::string> driver_names;
  double memory_gbps = 0;
  double bf16_tflops = 0;
  double kernel_us = 2;  // one small kernel in a graph
  bool assumed = false;  // nothing is fitted for it
  std::map<std::string, KernelFit, std::less<>> gemm;
  std::map<std::string, KernelFit, std::less<>> experts;
  std::map<std::string, KernelFit, std::less<>> attention;         // by format of the KV cache
  std::map<std::string, KernelFit, std::less<>> latent_attention;  // likewise
};

struct GpuPriors {
  std::string source;
  std::string license;
  std::string commit;
  std::string date;  // of the commit
  std::vector<GpuPrior> gpus;

  // By name ("h100_sxm"), or as the driver calls it; null: unknown.
  const GpuPrior* find(std::string_view name) const;
};

// Those in this binary. Throws UsageError with the place for a text that is none.
const GpuPriors& gpu_priors();
GpuPriors read_gpu_priors(const ScenarioText& text);
std::vector<std::string> gpu_prior_names();

// A type of GPU that nothing is fitted for, from its memory's bandwidth: the fractions of the others, wider.
GpuPrior assumed_gpu_prior(double memory_gbps);

}  // namespace ringside
