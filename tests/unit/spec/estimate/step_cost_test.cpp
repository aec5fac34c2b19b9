#include "spec/estimate/step_cost.hpp"

#include "support/catch.hpp"
#include "unit/spec/estimate/published_rows.hpp"

using namespace ringside;
using namespace ringside::example;

namespace {

ServerWorkload deepseek_on_8() {
  return published_workload(deepseek_v3(), "h200_sxm", 8, DraftKind::mtp, "sglang@2026-03");
}

double layers_us(const ForwardCost& cost) {
  double us = cost.gemm.us + cost.attention.us + cost.collectives_us;
  for (const ExpertCall& call : cost.experts) us += call.us(1, 1);
  return us;
}

StepCost price(const ServerWorkload& workload, const StepPoint& point) {
  return StepPricing(workload).price(point);
}

}  // namespace

// Kernels and collectives of whole steps at batch 1 and context 1K, from the same fits in another
// program: 6.4, 9.4 and 8.6 ms.
TEST_CASE("kernels and collectives of known steps add up") {
  const StepPoint point = plain_point(1, 1024);
  const ServerWorkload small = published_workload(llama_8b(), "h100_sxm", 1, DraftKind::eagle, "vllm");
  CHECK(layers_us(price(small, point).target) == Catch::Approx(6200).epsilon(0.05));
  const ServerWorkload large = published_workload(llama_70b(), "h100_sxm", 8, DraftKind::eagle3, "sglang");
  CHECK(layers_us(price(large, point).target) == Catch::Approx(8800).epsilon(0.08));
  CHECK(layers_us(price(deepseek_on_8(), point).target) == Catch::Approx(7900).epsilon(0.12));
}

TEST_CASE("one GPU has no collectives, eight have two a layer and those of both ends") {
  CHECK(price(published_workload(llama_8b(), "h100_sxm", 1, DraftKind::none, "vllm"), plain_point(4, 1024))
            .target.collectives_us == 0);
  ServerWorkload workload = published_workload(llama_70b(), "h100_sxm", 8, DraftKind::none, "vllm");
  workload.allreduce = collective_times({{1, 10}, {1 << 24, 10}}, Origin::measured, "flat");
  const double us = price(workload, plain_point(4, 1024)).target.collectives_us;
  CHECK(us == Catch::Approx(10 * (2 * 80 + 1 + 0.75)));  // the logits are gathered, three quarters at least
}

TEST_CASE("DP attention has no allreduce behind attention and an eighth of the sequences a GPU") {
  ServerWorkload workload = deepseek_on_8();
  workload.allreduce = collective_times({{1, 10}, {1 << 24, 10}}, Origin::measured, "flat");
  const StepPoint point = plain_point(64, 8192);
  const ForwardCost shared = price(workload, point).target;
  workload.layout.attention_dp = 8;
  const ForwardCost apart = price(workload, point).target;
  CHECK(apart.collectives_us < shared.collectives_us);
  // Latent attention: every tensor-parallel rank reads the whole cache of all sequences.
  CHECK(apart.attention.us < 0.5 * shared.attention.us);
  // Each GPU has all heads' projections.
  CHECK(apart.gemm.us > shared.gemm.us);
}

TEST_CASE("expert parallelism is priced with and without an all-to-all") {
  ServerWorkload workload = deepseek_on_8();
  const StepPoint point = plain_point(32, 1024);
  const ForwardCost tensor = price(workload, point).target;
  workload.layout.ep = 8;
  const ForwardCost without = price(workload, point).target;
  CHECK(without.collectives_us == Catch::Approx(tensor.collectives_us));  // the same allreduces
  CHECK(without.experts[0].experts == 32);
  CHECK(tensor.experts[0].experts == 256);
  workload.layout.alltoall = true;
  CHECK(price(workload, point).target.collectives_us != Catch::Approx(without.collectives_us));
  workload.alltoall = collective_times({{1, 1000}, {1 << 24, 1000}}, Origin::measured, "slow");
  CHECK(price(workload, point).target.collectives_us > 58 * 2000);
}

TEST_CASE("keys and values, context and their format count") {
  const auto attention = [](double context, double kv_bytes) {
    ServerWorkload workload = published_workload(llama_70b(), "b200_sxm", 8, DraftKind::none, "vllm");
    workload.kv_bytes = kv_bytes;
    return price(workload, plain_point(32, context)).target.attention.us;
  };
  CHECK(attention(32768, 2) > 3 * attention(1024, 2));
  CHECK(attention(32768, 1) < 0.8 * attention(32768, 2));
}

TEST_CASE("a verify pass prices its rows and draft steps, a plain pass neither") {
  const ServerWorkload workload = published_workload(llama_8b(), "h100_sxm", 1, DraftKind::eagle, "vllm");
  const StepCost plain = price(workload, plain_point(8, 1024));
  CHECK_FALSE(plain.speculative);
  CHECK(plain.draft_steps == 0);
  const StepCost verify = price(workload, chain_point(8, 3, 1024));
  CHECK(verify.speculative);
  CHECK(verify.rows == 32);
  CHECK(verify.draft_steps == 3);
  CHECK(verify.target.gemm.us >= plain.target.gemm.us);
  // One layer of a Llama's make and a head of 128 thousand words in bf16: 0.59 ms.
  const double draft = layers_us(price(workload, chain_point(1, 3, 1024)).draft);
  CHECK(draft == Catch::Approx(590).epsilon(0.12));
  ServerWorkload cut = workload;
  cut.draft.kind = DraftKind::eagle3;
  CHECK(layers_us(price(cut, chain_point(1, 3, 1024)).draft) < 0.65 * draft);  // 32 thousand words
  ServerWorkload lookup = workload;
  lookup.draft.kind = DraftKind::ngram;
  CHECK(layers_us(price(lookup, chain_point(1, 3, 1024)).draft) == 0);
}

TEST_CASE("a separate draft is a model of its own") {
  ServerWorkload workload = published_workload(llama_70b(), "h100_sxm", 8, DraftKind::separate, "vllm");
  workload.draft.facts = llama_8b();
  const StepCost own = price(workload, chain_point(1, 3, 1024));
  CHECK(own.draft.simple_layers == 32);
  workload.draft.tp = 1;
  const StepCost alone = price(workload, chain_point(1, 3, 1024));
  CHECK(alone.draft.collectives_us == 0);
  CHECK(alone.draft.gemm.us > 2 * own.draft.gemm.us);
}

TEST_CASE("no step is shorter than reading the weights, and the link bounds large ones") {
  const ServerWorkload workload = published_workload(llama_8b(), "h100_sxm", 1, DraftKind::none, "vllm");
  const StepPricing pricing(workload);
  const double weights = 7.5e9 * 2 / 3350e9 * 1e6;  // without the embedding, which is only looked up
  CHECK(pricing.floor_us(plain_point(1, 1)) == Catch::Approx(weights).epsilon(0.02));
  CHECK(pricing.floor_us(plain_point(64, 32768)) > 5 * weights);
  CHECK(layers_us(pricing.price(plain_point(1, 1)).target) > pricing.floor_us(plain_point(1, 1)));
  ServerWorkload pcie = published_workload(llama_70b(), "rtx_pro_6000_server", 8, DraftKind::none, "vllm");
  const StepPricing linked(pcie);
  CHECK(linked.floor_us(plain_point(4096, 1)) > 20 * linked.floor_us(plain_point(1, 1)));
  pcie.gpu = "of another kind";
  CHECK(StepPricing(pcie).floor_us(plain_point(1, 1)) == 0);
}

TEST_CASE("an unknown GPU and an unknown link are priced wider") {
  ServerWorkload workload = published_workload(llama_70b(), "h100_sxm", 8, DraftKind::none, "vllm");
  const CostSigmas known = StepPricing(workload).sigmas();
  workload.gpu = "";
  workload.memory_gbps = 3350;
  const StepPricing unknown(workload);
  CHECK_FALSE(unknown.gpu_known());
  CHECK(unknown.sigmas().gemm > 2 * known.gemm);
  CHECK(unknown.sigmas().collectives > 2 * known.collectives);
}
