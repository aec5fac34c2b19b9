#include "spec/estimate/gpu_prior.hpp"

#include <algorithm>

#include "scenario/toml_reader.hpp"

namespace ringside {
namespace {

using Fits = std::map<std::string, KernelFit, std::less<>>;

KernelFit read_fit(const TomlTable& text) {
  KernelFit fit;
  fit.t0_us = text.get<double>("t0", {0, 1e4});
  fit.per_us = text.get<double>("per", {0, 1e3});
  fit.bandwidth = text.get<double>("bw", {0.01, 1});
  fit.flops = text.get<double>("flops", {0.01, 1});
  const auto range = text.get<std::vector<double>>("range", {0.01, 100});
  if (range.size() != 2 || range[0] > range[1]) throw text.error("range", "must be a low and a high end");
  fit.time_90 = {range[0], range[1]};
  if (const auto servers = text.find_table("by_server")) {
    for (const std::string& server : servers->keys())
      fit.by_server[server] = servers->get<double>(server, {0.01, 100});
  }
  return fit;
}

Fits read_fits(const TomlTable& gpu, std::string_view kind) {
  Fits fits;
  const std::optional<TomlTable> text = gpu.find_table(kind);
  if (!text) return fits;
  for (const std::string& format : text->keys()) fits[format] = read_fit(text->table(format));
  return fits;
}

GpuPrior read_gpu(const TomlTable& text) {
  GpuPrior gpu;
  gpu.name = text.get<std::string>("name");
  gpu.gpu = text.get<std::string>("gpu");
  gpu.driver_names = text.get<std::vector<std::string>>("driver_names");
  gpu.memory_gbps = text.get<double>("memory_gbps", {1, 1e5});
  gpu.bf16_tflops = text.get<double>("bf16_tflops", {1, 1e5});
  gpu.kernel_us = text.get<double>("kernel_us", {0, 1e3});
  gpu.gemm = read_fits(text, "gemm");
  gpu.experts = read_fits(text, "experts");
  gpu.attention = read_fits(text, "attention");
  gpu.latent_attention = read_fits(text, "latent_attention");
  if (!gpu.gemm.contains("bfloat16") || !gpu.attention.contains("bfloat16"))
    throw text.error("gemm", "needs the fits of bfloat16, which other formats fall back to");
  return gpu;
}

}  // namespace

GpuPriors read_gpu_priors(const ScenarioText& text) {
  const TomlDocument document(text);
  const TomlTable root = document.root();
  GpuPriors priors;
  priors.source = root.get<std::string>("source");
  priors.commit = root.get<std::string>("commit");
  priors.date = root.get<std::string>("date");
  priors.license = root.get<std::string>("license");
  for (const TomlTable& gpu : root.tables("gpu")) priors.gpus.push_back(read_gpu(gpu));
  document.finish();
  return priors;
}

const GpuPriors& gpu_priors() {
  static const GpuPriors priors = read_gpu_priors(find_scenario("compute", "gpus"));
  return priors;
}

const GpuPrior* GpuPriors::find(std::string_view name) const {
  const auto gpu = std::ranges::find_if(gpus, [&](const GpuPrior& candidate) {
    return candidate.name == name || candidate.gpu == name ||
           std::ranges::find(candidate.driver_names, name) != candidate.driver_names.end();
  });
  return gpu == gpus.end() ? nullptr : &*gpu;
}

std::vector<std::string> gpu_prior_names() {
  std::vector<std::string> names;
  for (const GpuPrior& gpu : gpu_priors().gpus) names.push_back(gpu.name);
  return names;
}

// The medians of the nine fitted types. 110 to 300 bf16 operations a byte: their median is 260.
GpuPrior assumed_gpu_prior(double memory_gbps) {
  constexpr double kFlopsPerByte = 260;
  constexpr double kUnknownGbps = 2000;
  GpuPrior gpu;
  gpu.name = "unknown";
  gpu.gpu = "unknown GPU";
  gpu.assumed = true;
  gpu.memory_gbps = memory_gbps > 0 ? memory_gbps : kUnknownGbps;
  gpu.bf16_tflops = gpu.memory_gbps * kFlopsPerByte / 1e3;
  gpu.kernel_us = 2.3;
  gpu.gemm["bfloat16"] = {3.2, 0.2, 0.85, 0.6, {0.5, 2}};
  gpu.experts["bfloat16"] = {35, 0.05, 0.9, 0.3, {0.4, 2.5}};
  gpu.attention["bfloat16"] = {10.5, 0.03, 0.86, 0.1, {0.5, 2}};
  gpu.latent_attention["bfloat16"] = {13, 0.03, 0.8, 0.6, {0.5, 2}};
  return gpu;
}

}  // namespace ringside
