#include "spec/estimate/kernels.hpp"

#include <algorithm>
#include <cmath>

namespace ringside {
namespace {

constexpr double kUsPerByteAtGbps = 1e-3;  // bytes / (GB/s) in us
constexpr double kUsPerFlopAtTflops = 1e-6;
constexpr double kSigmasOf90 = 3.29;  // from 5 % to 95 %

double fourth(double value) {
  const double square = value * value;
  return square * square;
}

// smax of reading and arithmetic, and the latter's part of it.
KernelCost roofline(double read_us, double arithmetic_us) {
  if (read_us <= 0 && arithmetic_us <= 0) return {};
  const double sum = fourth(read_us) + fourth(arithmetic_us);
  const double us = std::sqrt(std::sqrt(sum));
  return {us, us * fourth(arithmetic_us) / sum};
}

double sigma_of(const Interval& range) {
  return std::max(0.05, std::log(range.high / range.low) / kSigmasOf90);
}

struct FormatTraits {
  const char* fit;
  double weight_bytes;  // with scales
  double activation_bytes;
  double peak;
};

FormatTraits traits(WeightFormat format) {
  switch (format) {
    case WeightFormat::fp32:
      return {"float32", 4, 4, 0.5};
    case WeightFormat::fp8:
      return {"fp8", 1, 1, 2};
    case WeightFormat::fp8_block:
      return {"fp8_block", 1, 1, 2};
    case WeightFormat::mxfp8:
      return {"mxfp8", 1.03, 1, 2};
    case WeightFormat::int8:
      return {"int8", 1, 2, 1};
    case WeightFormat::int4:
      return {"int4", 0.53, 2, 1};
    case WeightFormat::nvfp4:
      return {"nvfp4", 0.5625, 0.5625, 4};
    case WeightFormat::mxfp4:
      return {"mxfp4", 0.53, 2, 1};
    case WeightFormat::bf16:
    case WeightFormat::fp16:
      break;
  }
  return {"bfloat16", 2, 2, 1};
}

// What a format without a fit of its own is most alike.
const char* relative(WeightFormat format) {
  switch (format) {
    case WeightFormat::mxfp8:
      return "fp8_block";
    case WeightFormat::fp8_block:
      return "fp8";
    case WeightFormat::fp8:
      return "fp8_block";
    case WeightFormat::nvfp4:
      return "int4";  // weights alone are small where the GPU has no such arithmetic
    case WeightFormat::mxfp4:
      return "int4";
    case WeightFormat::int4:
      return "mxfp4";
    default:
      return "bfloat16";
  }
}

FittedFormat find_format(const GpuPrior& gpu, const std::map<std::string, KernelFit, std::less<>>& fits,
                         WeightFormat format) {
  const FormatTraits known = traits(format);
  FittedFormat found{nullptr, known.weight_bytes, known.activation_bytes, known.peak, 0.1};
  auto own = fits.find(known.fit);
  if (format == WeightFormat::mxfp4) {  // Blackwell multiplies them with 8-bit activations
    const auto wide = fits.find("mxfp4_fp8");
    if (wide != fits.end()) {
      own = wide;
      found.activation_bytes = 1;
      found.peak_factor = 2;
    }
  }
  if (own != fits.end()) {
    found.fit = &own->second;
    found.sigma = sigma_of(own->second.time_90);
    if (gpu.assumed) found.sigma = std::max(found.sigma, 0.4);
    return found;
  }
  auto like = fits.find(relative(format));
  if (like == fits.end()) like = fits.find("bfloat16");
  if (like == fits.end()) return found;
  constexpr double kFallbackSigma = 0.35;
  found.fit = &like->second;
  found.peak_factor = std::min(found.peak_factor, 2.0);
  if (like->first == "bfloat16" || like->first == "int4") {
    found.peak_factor = std::min(found.peak_factor, 1.0);
    found.activation_bytes = 2;
  }
  found.sigma = std::max(kFallbackSigma, sigma_of(like->second.time_90));
  return found;
}

const KernelFit& attention_fit(const GpuPrior& gpu, const LayerGroup& group, double kv_bytes, bool& own) {
  const bool latent = group.kv_rank > 0;
  const auto& fits = latent && !gpu.latent_attention.empty() ? gpu.latent_attention : gpu.attention;
  const char* const format = kv_bytes < 2 ? "fp8" : "bfloat16";
  const auto fit = fits.find(format);
  own = fit != fits.end() && (!latent || !gpu.latent_attention.empty());
  return fit != fits.end() ? fit->second : fits.find("bfloat16")->second;
}

KernelCost linear_cost(const GpuPrior& gpu, const LayerGroup& group, const AttentionShape& shape) {
  constexpr double kBandwidth = 0.6;  // states are read and written by small kernels; not fitted
  constexpr double kKernels = 4;      // convolution, gates, recurrence, norm
  const double share = group.heads > 0 ? shape.heads / group.heads : 1;
  const double bytes = shape.sequences * group.state_bytes * share * (1 + shape.rows);
  return {kKernels * gpu.kernel_us + bytes / (gpu.memory_gbps * kBandwidth) * kUsPerByteAtGbps, 0};
}

}  // namespace

FittedFormat gemm_format(const GpuPrior& gpu, WeightFormat format) {
  return find_format(gpu, gpu.gemm, format);
}

FittedFormat expert_format(const GpuPrior& gpu, WeightFormat format) {
  FittedFormat found = find_format(gpu, gpu.experts, format);
  if (found.fit == nullptr) found.fit = &gpu.gemm.find("bfloat16")->second;
  return found;
}

double expert_server_factor(const FittedFormat& format, std::string_view server) {
  constexpr double kLeast = 0.6;
  constexpr double kMost = 1.3;
  const auto found = format.fit->by_server.find(server);
  return found == format.fit->by_server.end() ? 1 : std::clamp(found->second, kLeast, kMost);
}

KernelCost gemm_cost(const GpuPrior& gpu, const FittedFormat& format, double m, double n, double k) {
  if (m <= 0 || n <= 0 || k <= 0) return {};
  const KernelFit& fit = *format.fit;
  const double bytes = n * k * format.weight_bytes + m * k * format.activation_bytes + 2 * m * n;
  const double read = bytes / (gpu.memory_gbps * fit.bandwidth) * kUsPerByteAtGbps;
  const double arithmetic =
      2 * m * n * k / (gpu.bf16_tflops * format.peak_factor * fit.flops) * kUsPerFlopAtTflops;
  KernelCost cost = roofline(read, arithmetic);
  cost.us += fit.t0_us + fit.per_us * k / 1024;
  return cost;
}

double ExpertCall::hit(double repeat) const {
  const double independent = 1 + (tokens - 1) * std::min(repeat, 1.0);
  return experts * -std::expm1(std::max(independent, std::min(tokens, 1.0)) * log_miss);
}

double ExpertCall::us(double repeat, double per_compute) const {
  const double hits = hit(repeat);
  const double read = hits * read_us + activation_us;
  const double arithmetic = compute_us * per_compute;
  return calls * (t0_us + per_hit_us * hits + std::sqrt(std::sqrt(fourth(read) + fourth(arithmetic))));
}

ExpertCall expert_call(const GpuPrior& gpu, const LayerGroup& group, int hidden, double tokens, int cut,
                       int groups) {
  const FittedFormat format = expert_format(gpu, group.expert_weights.format);
  const KernelFit& fit = *format.fit;
  const double h = group.expert_hidden > 0 ? group.expert_hidden : hidden;
  const double width = static_cast<double>(group.expert_intermediate) / cut;
  const double matrices = group.gated ? 3 : 2;
  const double rows = tokens * group.per_token / groups;
  const double us_per_byte = kUsPerByteAtGbps / (gpu.memory_gbps * fit.bandwidth);
  ExpertCall call;
  call.calls = group.layers;
  call.t0_us = fit.t0_us;
  call.per_hit_us = fit.per_us;
  call.read_us = matrices * h * width * format.weight_bytes * us_per_byte;
  call.activation_us = rows * (4 * h + 6 * width) * us_per_byte;
  call.compute_us = 2 * matrices * h * width * rows / (gpu.bf16_tflops * format.peak_factor * fit.flops) *
                    kUsPerFlopAtTflops;
  call.experts = static_cast<double>(group.routed) / groups;
  call.log_miss = std::log1p(-std::min(0.999999, static_cast<double>(group.per_token) / group.routed));
  call.tokens = tokens;
  return call;
}

KernelCost attention_cost(const GpuPrior& gpu, const LayerGroup& group, const AttentionShape& shape) {
  if (group.attention == AttentionKind::none || group.attention == AttentionKind::unknown) return {};
  if (group.attention == AttentionKind::linear) return linear_cost(gpu, group, shape);
  bool own = true;
  const KernelFit& fit = attention_fit(gpu, group, shape.kv_bytes, own);
  double tokens = shape.context;
  if (group.attention ==
      AttentionKind::compressed) {  // entries of several tokens, and a window of single ones
    const double entry = std::max(1, group.head_size);
    tokens =
        shape.context * group.kv_numbers / entry + std::min(shape.context, static_cast<double>(group.window));
  } else if (group.window > 0)
    tokens = std::min(tokens, static_cast<double>(group.window));
  if (group.read_tokens > 0) tokens = std::min(tokens, static_cast<double>(group.read_tokens));
  double bytes = shape.sequences * tokens * shape.kv_bytes;
  double flop = shape.sequences * shape.rows * tokens * shape.heads;
  if (group.kv_rank > 0) {
    bytes *= group.kv_rank + group.rope_size;
    flop *= 2.0 * (2 * group.kv_rank + group.rope_size);
  } else {
    const double value = group.value_size > 0 ? group.value_size : group.head_size;
    bytes *= shape.kv_heads * (group.head_size + value);
    flop *= 2 * (group.head_size + value);
  }
  if (group.index_bytes > 0) bytes += shape.sequences * shape.context * group.index_bytes;
  KernelCost cost = roofline(bytes / (gpu.memory_gbps * fit.bandwidth) * kUsPerByteAtGbps,
                             flop / (gpu.bf16_tflops * fit.flops) * kUsPerFlopAtTflops);
  cost.us += fit.t0_us + fit.per_us * shape.sequences;
  if (group.index_bytes > 0) cost.us += fit.t0_us;  // the indexer, a kernel like attention itself; not fitted
  return cost;
}

double attention_sigma(const GpuPrior& gpu, const LayerGroup& group, double kv_bytes) {
  constexpr double kNotFitted = 0.45;
  const bool fitted = group.attention == AttentionKind::full || group.attention == AttentionKind::latent;
  bool own = true;
  const KernelFit& fit = attention_fit(gpu, group, kv_bytes, own);
  const double sigma = sigma_of(fit.time_90);
  return fitted && own && !gpu.assumed ? sigma : std::max(sigma, kNotFitted);
}

}  // namespace ringside
