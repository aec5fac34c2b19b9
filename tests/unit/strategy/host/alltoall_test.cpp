#include <atomic>
#include <mutex>
#include <string>

#include "strategy/registry.hpp"
#include "support/catch.hpp"
#include "support/thread_team.hpp"
#include "worker/verify/check_parts.hpp"
#include "worker/verify/verify_case.hpp"

using namespace ringside;

namespace {

Case exchange_case(int ranks, Bytes bytes, DType dtype, std::vector<double> load) {
  Case params;
  params.collective = Collective::alltoall;
  params.strategy = params.family = "direct";
  params.bytes = bytes;
  params.dtype = dtype;
  params.ranks = ranks;
  params.load = std::move(load);
  return params;
}

// Hands the parts on as it should, but for one byte: what verification must see.
class OneByteOff final : public PreparedCollective {
 public:
  OneByteOff(std::unique_ptr<PreparedCollective> real, bool guilty)
      : real_(std::move(real)), guilty_(guilty) {}
  void enqueue(const std::byte* input, std::byte* output) override {
    real_->enqueue(input, output);
    if (guilty_) output[1] ^= std::byte{1};
  }

 private:
  std::unique_ptr<PreparedCollective> real_;
  bool guilty_;
};

// The first mismatch that any rank found, or "".
std::string verify(const Case& params, int guilty_rank = -1) {
  std::mutex mutex;
  std::string found;
  run_host_ranks(params.ranks, 64_MiB, [&](HostDevice& device) {
    std::vector<std::byte*> golden;
    std::vector<std::byte*> outputs;
    for (int i = 0; i < 3; ++i) {
      golden.push_back(device.arena().allocate(params.bytes));
      outputs.push_back(device.arena().allocate(output_bytes(params)));
    }
    std::byte* const input = device.arena().allocate(params.bytes);
    const Strategy& direct = *find_strategy("direct", DeviceKind::host);
    OneByteOff collective(direct.prepare(device, params), device.rank() == guilty_rank);
    ProvenOutputs proven;
    VerifyPlan plan;
    plan.calls_exact = 6;
    const VerifyReply reply =
        verify_case(device, collective, params, direct.numerics(), plan, {golden, input, outputs}, proven);
    const std::lock_guard lock(mutex);
    if (reply.mismatch && found.empty()) found = reply.mismatch->text;
  });
  return found;
}

}  // namespace

TEST_CASE("an even message is cut into equal parts, a skewed one by its load, and nothing is lost") {
  CHECK(part_borders(exchange_case(4, {80}, DType::bf16, {})) == std::vector<std::size_t>{0, 10, 20, 30, 40});
  CHECK(part_borders(exchange_case(2, {80}, DType::bf16, {3, 1})) == std::vector<std::size_t>{0, 30, 40});
  CHECK(part_borders(exchange_case(3, {8}, DType::fp32, {0, 1, 0})) == std::vector<std::size_t>{0, 0, 2, 2});
  CHECK(output_bytes(exchange_case(4, {80}, DType::bf16, {})).count == 80);
  CHECK(output_bytes(exchange_case(2, {80}, DType::bf16, {3, 1})).count == 2 * 30 * 2);
}

TEST_CASE("direct brings every part to its rank, for all ranks, sizes, dtypes and loads", "[threads]") {
  for (const int ranks : {2, 3, 5}) {
    for (const Bytes bytes : {4_B, 60_B, 4096_B, 100'000_B}) {
      for (const DType dtype : {DType::bf16, DType::fp32}) {
        CAPTURE(ranks, bytes.count);
        CHECK(verify(exchange_case(ranks, bytes, dtype, {})).empty());
        std::vector<double> skewed(static_cast<std::size_t>(ranks), 1);
        skewed[0] = 5;
        skewed.back() = 0;
        CHECK(verify(exchange_case(ranks, bytes, dtype, skewed)).empty());
      }
    }
  }
}

TEST_CASE("a single wrong byte on one rank is found, and the sender is named", "[threads]") {
  const std::string found = verify(exchange_case(3, 600_B, DType::bf16, {}), 2);
  CHECK(found.find("rank 2, element 0 of the part from rank 0") != std::string::npos);
}
