// What verification does on a GPU: producers that write late, consumers that hash, and a collective that does
// not wait for its producer.
#include <algorithm>
#include <vector>

#include "base/hash_bytes.hpp"
#include "device/cuda/cuda_device.hpp"
#include "device/cuda/cuda_error.hpp"
#include "device/cuda/gpu_names.hpp"
#include "gpu/careless_copy.hpp"
#include "support/catch.hpp"
#include "support/thread_team.hpp"
#include "worker/verify/check_calls.hpp"

using namespace ringside;
using Catch::Matchers::ContainsSubstring;

namespace {

CudaSettings on_one_gpu(Bytes arena = 64_MiB) {
  CudaSettings settings;
  settings.gpus = {gpu_uuid(0)};
  settings.arena = arena;
  return settings;
}

std::vector<std::byte> numbered(std::size_t bytes) {
  std::vector<std::byte> data(bytes);
  for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<std::byte>(i * 7 + i / 251);
  return data;
}

class CarelessCopy final : public PreparedCollective {
 public:
  CarelessCopy(CudaDevice& device, std::size_t bytes, bool waits)
      : device_(device), bytes_(bytes), waits_(waits) {}
  void enqueue(const std::byte* input, std::byte* output) override {
    check_cuda(test::launch_careless_copy(output, input, bytes_, waits_, device_.stream()), "careless_copy");
  }

 private:
  CudaDevice& device_;
  std::size_t bytes_;
  bool waits_;
};

CallReply check_copy(Mode mode, Bytes bytes, bool waits, bool plain_producer) {
  CallReply reply;
  run_on_threads(1, [&](Bootstrap& bootstrap) {
    CudaDevice device(bootstrap, on_one_gpu());
    Case params;
    params.device = DeviceKind::cuda;
    params.mode = mode;
    params.bytes = bytes;
    params.ranks = 1;
    const GroupBuffers group = allocate_group(device.arena(), whole_group(params, 0));
    const CheckedBuffers buffers{allocate_case(device.arena(), params), group.known, group.golden.front()};
    std::vector<std::byte> block(KnownData::block_bytes(bytes));
    const KnownData data(params, 0, 3, block, 4);
    device.write(group.known, block);
    paint_red_zones(device, buffers.own);
    CarelessCopy copy(device, bytes.count, waits);
    reply =
        check_calls(device, copy, params, {.calls = 244, .plain_producer = plain_producer}, data, buffers);
  });
  return reply;
}

std::string text_of(const CallReply& reply) {
  return reply.wrong.value_or("nothing");
}

}  // namespace

TEST_CASE("a GPU's digests are the hashes of the bytes, wherever they lie, and begin at 0 again") {
  run_on_threads(1, [](Bootstrap& bootstrap) {
    CudaDevice device(bootstrap, on_one_gpu());
    const std::vector<std::byte> data = numbered((5u << 20) + 3);
    std::byte* block = device.arena().allocate({data.size()});
    device.write(block, data);
    for (const std::size_t offset : {0, 1, 2, 8}) {
      for (const std::size_t bytes : {std::size_t{1}, std::size_t{8}, std::size_t{4099}, data.size() - 8}) {
        device.run([&] { device.enqueue_digest(block + offset, bytes, 3); });
        const std::uint64_t expected = hash_bytes(std::span(data).subspan(offset, bytes));
        INFO(offset << " " << bytes);
        CHECK(device.take_digests(4) == std::vector<std::uint64_t>{0, 0, 0, expected});
      }
    }
    CHECK(device.take_digests(4) == std::vector<std::uint64_t>(4));
  });
}

TEST_CASE("a producer that writes late writes all bytes in the end, and no more") {
  run_on_threads(1, [](Bootstrap& bootstrap) {
    CudaDevice device(bootstrap, on_one_gpu());
    std::byte* target = device.arena().allocate(4_MiB);
    std::byte* source = device.arena().allocate(4_MiB);
    const std::vector<std::byte> data = numbered(4u << 20);
    device.write(source, data);
    for (const std::size_t bytes : {2, 16, 34, 2048, 65538, 3'000'002}) {
      device.fill(target, std::byte{0x5A}, 4u << 20);
      device.run([&] { device.enqueue_feed(target, source, bytes); });
      std::vector<std::byte> got(bytes + 64);
      device.read(got, target);
      INFO(bytes);
      CHECK(std::equal(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(bytes), data.begin()));
      CHECK(std::count(got.end() - 64, got.end(), std::byte{0x5A}) == 64);
    }
  });
}

TEST_CASE("calls in a row are checked on a GPU") {
  for (const Mode mode : {Mode::graph, Mode::eager}) {
    for (const Bytes bytes : {4_B, 2_KiB, 64_KiB, 1_MiB}) {
      INFO(bytes.count);
      const CallReply reply = check_copy(mode, bytes, true, false);
      CHECK(text_of(reply) == "nothing");
      CHECK(reply.calls == 244);
    }
  }
}

TEST_CASE("a collective that does not wait for its producer is caught, but not behind a copy") {
  for (const Mode mode : {Mode::graph, Mode::eager}) {
    CHECK_THAT(text_of(check_copy(mode, 2_KiB, false, false)), ContainsSubstring("the output is wrong"));
    CHECK(text_of(check_copy(mode, 2_KiB, false, true)) == "nothing");
  }
}
