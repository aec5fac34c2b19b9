#include "spec/estimate/kernels.hpp"

#include "base/errors.hpp"
#include "spec/estimate/workload.hpp"
#include "support/catch.hpp"
#include "unit/spec/estimate/example_models.hpp"

using namespace ringside;

namespace {

const GpuPrior& gpu(std::string_view name) {
  const GpuPrior* const found = gpu_priors().find(name);
  REQUIRE(found != nullptr);
  return *found;
}

// Share of the data sheet's bandwidth that a layer of so many bytes is read with.
double bandwidth_share(std::string_view name, WeightFormat format, double bytes) {
  const FittedFormat fitted = gemm_format(gpu(name), format);
  const double k = 4096;
  const double n = bytes / k / fitted.weight_bytes;
  return bytes / (gemm_cost(gpu(name), fitted, 1, n, k).us * 1e-6) / (gpu(name).memory_gbps * 1e9);
}

AttentionShape attend(double sequences, double context) {
  AttentionShape shape;
  shape.sequences = sequences;
  shape.context = context;
  shape.heads = 8;
  shape.kv_heads = 1;
  return shape;
}

LayerGroup grouped_queries() {
  return example::llama_70b().groups[0];
}

}  // namespace

TEST_CASE("nine types of GPU have fits, found by name and as the driver calls them") {
  CHECK(gpu_prior_names().size() == 9);
  CHECK(gpu("NVIDIA H200").name == "h200_sxm");
  CHECK(gpu("H100 SXM").name == "h100_sxm");
  CHECK(gpu_priors().find("NVIDIA H200 NVL") == nullptr);  // another GPU
  CHECK(gpu_priors().find("") == nullptr);
  CHECK(gpu_priors().license == "Apache-2.0");
  CHECK_FALSE(gpu_priors().commit.empty());
}

TEST_CASE("a small shard is read with a smaller share of the bandwidth than a large one") {
  CHECK(bandwidth_share("h100_sxm", WeightFormat::bf16, 10e6) == Catch::Approx(0.42).margin(0.03));
  CHECK(bandwidth_share("h100_sxm", WeightFormat::bf16, 20e6) == Catch::Approx(0.54).margin(0.04));
  CHECK(bandwidth_share("h100_sxm", WeightFormat::bf16, 120e6) == Catch::Approx(0.78).margin(0.03));
  CHECK(bandwidth_share("h200_sxm", WeightFormat::fp8, 10e6) == Catch::Approx(0.22).margin(0.03));
  CHECK(bandwidth_share("b200_sxm", WeightFormat::fp8, 50e6) == Catch::Approx(0.37).margin(0.07));
}

TEST_CASE("rows are nearly free up to 64, and no faster than the arithmetic beyond") {
  const GpuPrior& h100 = gpu("h100_sxm");
  const FittedFormat format = gemm_format(h100, WeightFormat::bf16);
  const double one = gemm_cost(h100, format, 1, 8192, 8192).us;
  CHECK(gemm_cost(h100, format, 64, 8192, 8192).us / one < 1.2);
  const double many = gemm_cost(h100, format, 4096, 8192, 8192).us;
  CHECK(2.0 * 4096 * 8192 * 8192 / (many * 1e-6) < h100.bf16_tflops * 1e12);
  CHECK(gemm_cost(h100, format, 4096, 8192, 8192).compute_us > 0.9 * many);
  CHECK(gemm_cost(h100, format, 1, 8192, 8192).compute_us < 0.01 * one);
}

TEST_CASE("experts that are hit grow with the tokens, less where the routing repeats itself") {
  const LayerGroup group = example::deepseek_v3().groups[1];
  const GpuPrior& h200 = gpu("h200_sxm");
  const struct {
    double tokens, us;  // of the measured table
  } rows[] = {{1, 37}, {4, 74}, {8, 109}, {16, 194}, {64, 316}};
  for (const auto& row : rows) {
    ExpertCall call = expert_call(h200, group, 7168, row.tokens, 8, 1);
    call.calls = 1;
    CAPTURE(row.tokens);
    CHECK(call.us(1, 1) / row.us > 0.7);
    CHECK(call.us(1, 1) / row.us < 1.6);
    CHECK(call.hit(0.5) <= call.hit(1));
    CHECK(call.hit(1) <= 256);
  }
  CHECK(expert_call(h200, group, 7168, 1, 8, 1).hit(1) == Catch::Approx(8).epsilon(1e-3));
  // Whole experts on eight GPUs: each has an eighth of those that are hit.
  CHECK(expert_call(h200, group, 7168, 1, 1, 8).hit(1) == Catch::Approx(1).epsilon(1e-3));
}

TEST_CASE("an expert kernel of one server is told from another's, an untuned one is not believed") {
  const FittedFormat format = expert_format(gpu("h100_sxm"), WeightFormat::fp8);
  CHECK(expert_server_factor(format, "vllm") == Catch::Approx(1.3));  // 4.03 in the table
  CHECK(expert_server_factor(format, "trtllm") == Catch::Approx(0.99));
  CHECK(expert_server_factor(format, "") == 1);
}

TEST_CASE("a format without a fit falls back to another's with its own bytes and a wider band") {
  const GpuPrior& a100 = gpu("a100_sxm");
  const FittedFormat fp8 = gemm_format(a100, WeightFormat::fp8);
  CHECK(fp8.weight_bytes == 1);
  CHECK(fp8.peak_factor == 1);  // no such arithmetic
  CHECK(fp8.sigma > gemm_format(a100, WeightFormat::bf16).sigma + 0.1);
  const FittedFormat nvfp4 = gemm_format(gpu("h100_sxm"), WeightFormat::nvfp4);
  CHECK(nvfp4.weight_bytes < 0.6);
  CHECK(nvfp4.sigma >= 0.35);
  CHECK(gemm_format(assumed_gpu_prior(1000), WeightFormat::bf16).sigma >= 0.4);
}

TEST_CASE("attention grows with context, windows and states stop it") {
  const GpuPrior& h200 = gpu("h200_sxm");
  LayerGroup group = grouped_queries();
  const double near = attention_cost(h200, group, attend(8, 1024)).us;
  const double far = attention_cost(h200, group, attend(8, 131072)).us;
  CHECK(far > 10 * near);
  const double bytes = 8.0 * 131072 * 2 * 128 * 2;
  CHECK(bytes / (far * 1e-6) < 4.8e12);  // no faster than the memory
  group.attention = AttentionKind::sliding;
  group.window = 1024;
  CHECK(attention_cost(h200, group, attend(8, 131072)).us == Catch::Approx(near));
  group.attention = AttentionKind::compressed;  // one entry for four tokens beside the window
  group.kv_numbers = group.head_size / 4.0;
  const double compressed = attention_cost(h200, group, attend(8, 131072)).us;
  CHECK(compressed > 2 * near);
  CHECK(compressed < 0.5 * far);
  group.attention = AttentionKind::linear;
  group.state_bytes = 2e6;
  CHECK(attention_cost(h200, group, attend(8, 131072)).us == attention_cost(h200, group, attend(8, 1024)).us);
  group.attention = AttentionKind::none;
  CHECK(attention_cost(h200, group, attend(8, 131072)).us == 0);
}

TEST_CASE("latent attention without a fit is wider than with one") {
  const LayerGroup group = example::deepseek_v3().groups[0];
  CHECK(attention_sigma(gpu("a100_sxm"), group, 2) > 0.4);
  CHECK(attention_sigma(gpu("h200_sxm"), group, 2) < 0.2);
  CHECK(attention_sigma(gpu("l40s"), group, 1) > 0.4);
}

TEST_CASE("fits that are none are refused with their place") {
  const std::string head = "source = \"s\"\ncommit = \"c\"\ndate = \"d\"\nlicense = \"l\"\n";
  const auto read = [&](const std::string& gpu) {
    return read_gpu_priors({"x", "x.toml",
                            head +
                                "[[gpu]]\nname = \"x\"\ngpu = \"X\"\ndriver_names = []\nmemory_gbps = "
                                "1000\nbf16_tflops = 100\nkernel_us = 2\n" +
                                gpu});
  };
  const std::string gemm = "gemm.bfloat16 = { t0 = 3, per = 0, bw = 0.8, flops = 0.5, range = [0.9, 1.1] }\n";
  const std::string attention =
      "attention.bfloat16 = { t0 = 3, per = 0, bw = 0.8, flops = 0.5, range = [0.9, 1.1] }\n";
  CHECK(read(gemm + attention).gpus.size() == 1);
  CHECK_THROWS_AS(read(attention), UsageError);
  CHECK_THROWS_AS(read(gemm + attention + "surprise = 1\n"), UsageError);
  CHECK_THROWS_AS(
      read(attention + "gemm.bfloat16 = { t0 = 3, per = 0, bw = 1.8, flops = 0.5, range = [0.9, 1.1] }\n"),
      UsageError);
}
