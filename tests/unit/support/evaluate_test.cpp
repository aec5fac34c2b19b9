#include "support/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

constexpr auto kNvlink = PairLink::nvlink;
constexpr auto kPeer = PairLink::peer;
constexpr bool kYes = true, kNo = false;

// One line of the table: a call, and where it goes. "?": not known.
struct Expected {
  const char* framework;
  const char* version;
  int capability;
  int ranks;
  Bytes bytes;
  std::string way;
  std::optional<PairLink> link = kNvlink;
  std::optional<bool> multicast = true;
  DType dtype = DType::bf16;
  std::map<std::string, std::string> switches = {};
  std::map<std::string, bool> facts = {{"fused", false}, {"fusion-workspace", false}};
  std::optional<int> nccl = 22809;
  Mode mode = Mode::graph;
};

SupportAnswer answer(const SupportTable& table, const Expected& call) {
  SupportQuery query;
  query.ranks = call.ranks;
  query.bytes = call.bytes;
  query.dtype = call.dtype;
  query.mode = call.mode;
  if (call.capability != 0) query.compute_capability = call.capability;
  query.link = call.link;
  query.multicast = call.multicast;
  query.nccl = call.nccl;
  query.switches = call.switches;
  query.facts = call.facts;
  return evaluate(table, find_edition(table.editions, call.version), query);
}

std::string way(const Expected& call) {
  const SupportTable table = find_support_table(call.framework);
  const SupportAnswer result = answer(table, call);
  if (!result.missing.empty()) return "?";
  const PathVerdict* choice = result.choice();
  if (choice == nullptr) return "none";
  if (choice->path->kernels.empty()) return choice->path->name;
  return choice->path->name + ": " + (choice->kernel.empty() ? "?" : choice->kernel);
}

void check(const std::vector<Expected>& calls) {
  for (const Expected& call : calls) {
    INFO(fmt::format("{}@{}, compute capability {}, {} ranks, {} bytes, {}", call.framework, call.version,
                     call.capability, call.ranks, call.bytes.count, to_string(call.dtype)));
    CHECK(way(call) == call.way);
  }
}

const std::string kV1 = "custom-v1: one-shot pull", kV1Two = "custom-v1: two-shot pull";
const std::string kPush = "custom-v2: one-shot push", kTwo = "custom-v2: two-shot pull";
const std::string kOne = "custom: one-shot pull", kTwoPulls = "custom: two-shot pull";

}  // namespace

TEST_CASE("vLLM's way by compute capability, ranks, size and day") {
  const Bytes just_below = {(8u << 20) - 16};
  check({
      {"vllm", "0.12.0", 90, 2, 64_KiB, kOne},
      {"vllm", "0.12.0", 90, 2, just_below, kOne},
      {"vllm", "0.12.0", 90, 2, 8_MiB, "torch-symm-mem"},
      {"vllm", "0.12.0", 90, 2, 64_MiB, "pynccl"},
      {"vllm", "0.11.0", 90, 2, 64_MiB, "pynccl"},
      {"vllm", "2026-05-19", 90, 2, 64_MiB, "pynccl"},
      {"vllm", "2026-05-20", 90, 2, 64_MiB, "torch-symm-mem"},
      {"vllm", "main", 90, 2, 64_MiB, "torch-symm-mem"},
      {"vllm", "main", 90, 4, 256_KiB, kOne},
      {"vllm", "main", 90, 4, 512_KiB, kTwoPulls},
      {"vllm", "main", 90, 8, 128_KiB, kOne},
      {"vllm", "main", 90, 8, 256_KiB, "torch-symm-mem"},
      {"vllm", "main", 90, 6, 512_KiB, "torch-symm-mem"},
      {"vllm", "main", 90, 3, 64_KiB, "pynccl"},
      {"vllm", "main", 90, 16, 64_KiB, "pynccl"},
      {"vllm", "main", 100, 2, 1_MiB, kOne},
      {"vllm", "main", 100, 2, 2_MiB, "torch-symm-mem"},
      {"vllm", "main", 100, 2, 16_MiB, "pynccl"},
      {"vllm", "main", 103, 2, 2_MiB, kOne},
      {"vllm", "main", 103, 2, 4_MiB, "torch-symm-mem"},
      {"vllm", "0.12.0", 103, 2, 4_MiB, kOne},
      {"vllm", "main", 90, 2, {8}, "torch-symm-mem"},
      {"vllm", "main", 90, 2, 16_MiB, "pynccl", kNvlink, kYes, DType::fp16},
      {"vllm", "main", 90, 8, 64_KiB, kOne, kNvlink, kYes, DType::fp32},
  });
}

TEST_CASE("vLLM's way without NVLink, multicast, or what is known of them") {
  check({
      {"vllm", "main", 120, 2, 64_KiB, kOne, kPeer, kNo},
      {"vllm", "main", 120, 2, 64_KiB, "pynccl", PairLink::none, kNo},
      {"vllm", "main", 120, 4, 64_KiB, "pynccl", kPeer, kNo},
      {"vllm", "main", 120, 8, 64_KiB, "pynccl", kPeer, kYes},
      {"vllm", "main", 120, 4, 64_KiB, kOne, kNvlink, kYes},
      {"vllm", "main", 90, 8, 256_KiB, kTwoPulls, kNvlink, kNo},
      {"vllm", "main", 90, 8, 256_KiB, "?", kNvlink, {}},
      {"vllm", "main", 90, 8, 128_KiB, kOne, kNvlink, {}},
      {"vllm", "main", 90, 2, 64_KiB, "?", {}, kYes},
      {"vllm", "main", 0, 2, 64_KiB, kOne},
      {"vllm", "main", 0, 8, 512_KiB, "?"},
  });
}

TEST_CASE("vLLM's way with its switches") {
  const std::map<std::string, std::string> symmetric = {{"VLLM_USE_NCCL_SYMM_MEM", "1"}};
  const std::map<std::string, std::string> flashinfer = {{"VLLM_ALLREDUCE_USE_FLASHINFER", "1"}};
  const std::map<std::string, bool> fused = {{"fused", true}, {"flashinfer", true}};
  const std::map<std::string, bool> importable = {{"fused", false}, {"flashinfer", true}};
  const std::map<std::string, bool> plain = {{"fused", false}};
  const auto bf16 = DType::bf16;
  check({
      {"vllm", "main", 90, 8, 16_KiB, "nccl-symm-mem", kNvlink, kYes, bf16, symmetric},
      {"vllm", "main", 90, 8, 32_KiB, kOne, kNvlink, kYes, bf16, symmetric},
      {"vllm", "main", 90, 8, 128_KiB, "nccl-symm-mem", kNvlink, kYes, bf16, symmetric},
      {"vllm", "main", 90, 4, 256_KiB, kOne, kNvlink, kYes, bf16, symmetric},
      {"vllm", "main", 90, 4, 512_KiB, "nccl-symm-mem", kNvlink, kYes, bf16, symmetric},
      {"vllm", "0.12.0", 90, 8, 16_KiB, kOne, kNvlink, kYes, bf16, symmetric},
      {"vllm", "0.12.0", 90, 8, 1_MiB, "nccl-symm-mem", kNvlink, kYes, bf16, symmetric},
      {"vllm", "main", 90, 6, 16_KiB, kOne, kNvlink, kYes, bf16, symmetric},
      {"vllm", "main", 90, 2, 16_KiB, kOne, kNvlink, kYes, bf16, symmetric},
      {"vllm", "main", 90, 8, 16_KiB, kOne, kNvlink, kYes, bf16, symmetric, plain, 22602},
      {"vllm", "main", 90, 8, 16_KiB, "?", kNvlink, kYes, bf16, symmetric, plain, std::nullopt},
      {"vllm",
       "main",
       90,
       8,
       64_KiB,
       "torch-symm-mem",
       kNvlink,
       kYes,
       bf16,
       {{"--disable-custom-all-reduce", "on"}}},
      {"vllm",
       "main",
       90,
       8,
       256_KiB,
       kTwoPulls,
       kNvlink,
       kYes,
       bf16,
       {{"VLLM_ALLREDUCE_USE_SYMM_MEM", "0"}}},
      {"vllm", "main", 90, 4, 256_KiB, "?", kNvlink, kYes, bf16, flashinfer},
      {"vllm", "main", 90, 4, 256_KiB, "flashinfer", kNvlink, kYes, bf16, flashinfer, importable},
      {"vllm", "0.12.0", 90, 4, 256_KiB, kOne, kNvlink, kYes, bf16, flashinfer, importable},
      {"vllm", "main", 90, 8, 512_KiB, "flashinfer-fusion", kNvlink, kYes, bf16, {}, fused},
      {"vllm", "main", 90, 8, 1_MiB, "torch-symm-mem", kNvlink, kYes, bf16, {}, fused},
      {"vllm", "0.12.0", 90, 8, 128_KiB, kOne, kNvlink, kYes, bf16, {}, fused},
      {"vllm", "main", 120, 2, 64_KiB, kOne, kPeer, kNo, bf16, {}, fused},
      {"vllm",
       "main",
       90,
       8,
       64_KiB,
       "custom: ?",
       kNvlink,
       kYes,
       bf16,
       {{"VLLM_CUSTOM_ALLREDUCE_ALGO", "2stage"}}},
  });
}

TEST_CASE("SGLang's way by compute capability, ranks, size, mode and day") {
  const Bytes above_8m = {(8u << 20) + 16}, above_16m = {(16u << 20) + 16};
  const std::map<std::string, bool> plain = {{"fused", false}, {"fusion-workspace", false}};
  check({
      {"sglang", "0.5.9", 90, 2, 64_KiB, kV1},
      {"sglang", "0.5.9", 90, 2, 8_MiB, kV1},
      {"sglang", "0.5.9", 90, 2, above_8m, "nccl"},
      {"sglang", "0.5.9", 90, 8, 128_KiB, kV1},
      {"sglang", "0.5.9", 90, 8, 256_KiB, kV1Two},
      {"sglang", "0.5.9", 90, 3, 64_KiB, "nccl"},
      {"sglang", "0.5.9", 120, 8, 64_KiB, "nccl", kPeer, kNo},
      {"sglang", "0.5.9", 120, 2, 64_KiB, kV1, kPeer, kNo},
      {"sglang", "0.5.10.post1", 90, 2, 64_KiB, kV1},
      {"sglang", "main", 90, 2, 64_KiB, kPush},
      {"sglang", "main", 90, 2, 16_MiB, kPush},
      {"sglang", "main", 90, 2, above_16m, "nccl"},
      {"sglang", "main", 90, 3, 64_KiB, kPush},
      {"sglang", "main", 90, 4, 384_KiB, kPush},
      {"sglang", "main", 90, 4, 512_KiB, kTwo},
      {"sglang", "main", 90, 8, 128_KiB, kPush},
      {"sglang", "main", 90, 8, 256_KiB, kTwo},
      {"sglang", "main", 90, 8, 512_KiB, "custom-v2: two-shot by multicast"},
      {"sglang", "main", 90, 8, 512_KiB, kTwo, kNvlink, kNo},
      {"sglang", "main", 90, 8, 512_KiB, "custom-v2: ?", kNvlink, {}},
      {"sglang",
       "main",
       90,
       8,
       256_KiB,
       "custom-v2: two-shot by multicast",
       kNvlink,
       kYes,
       DType::bf16,
       {},
       plain,
       22809,
       Mode::eager},
      {"sglang", "main", 100, 2, 8_MiB, kPush},
      {"sglang", "main", 100, 2, 16_MiB, "custom-v2: one-shot pull"},
      {"sglang", "main", 90, 9, 64_KiB, "nccl"},
      {"sglang", "main", 120, 9, 64_KiB, kPush},
      {"sglang", "main", 120, 4, 1_MiB, kPush},
      {"sglang", "main", 120, 4, 2_MiB, kTwo},
      {"sglang", "main", 120, 2, 64_KiB, kV1, kPeer, kNo},
      {"sglang", "main", 120, 4, 64_KiB, "nccl", kPeer, kNo},
      {"sglang", "2026-06-01", 90, 2, 64_KiB, "?"},
      {"sglang", "0.5.10", 90, 2, 64_KiB, kV1},
  });
}

TEST_CASE("SGLang's way with its switches, and with what is not known") {
  const std::map<std::string, std::string> symmetric = {{"--enable-symm-mem", "on"}};
  const std::map<std::string, std::string> torch = {{"--enable-torch-symm-mem", "on"}};
  const std::map<std::string, std::string> nothing = {};
  const auto bf16 = DType::bf16;
  check({
      {"sglang", "main", 90, 2, 64_KiB, "?", kNvlink, kYes, bf16, nothing, {{"fused", false}}},
      {"sglang", "main", 120, 2, 64_KiB, kV1, kPeer, kNo, bf16, nothing, {{"fused", false}}},
      {"sglang",
       "main",
       90,
       2,
       64_KiB,
       "?",
       kNvlink,
       kYes,
       bf16,
       {{"SGLANG_CUSTOM_ALL_REDUCE_V2_MAX_SIZE_KB", "64"}}},
      {"sglang", "0.5.9", 90, 2, 16_MiB, "torch-symm-mem", kNvlink, kYes, bf16, torch},
      {"sglang", "0.5.9", 90, 2, 64_MiB, "nccl", kNvlink, kYes, bf16, torch},
      {"sglang", "0.5.9", 90, 2, 64_KiB, "nccl-symmetric", kNvlink, kYes, bf16, symmetric},
      {"sglang", "main", 90, 2, 64_KiB, kPush, kNvlink, kYes, bf16, symmetric},
      {"sglang", "main", 90, 2, 32_MiB, "nccl-symmetric", kNvlink, kYes, bf16, symmetric},
      {"sglang", "2026-06-01", 90, 2, 32_MiB, "?", kNvlink, kYes, bf16, symmetric},
      {"sglang",
       "0.5.9",
       90,
       8,
       512_KiB,
       "mscclpp",
       kNvlink,
       kYes,
       bf16,
       {{"--enable-mscclpp", "on"}, {"--disable-custom-all-reduce", "on"}}},
      {"sglang", "0.5.9", 90, 8, 512_KiB, kV1Two, kNvlink, kYes, bf16, {{"--enable-mscclpp", "on"}}},
      {"sglang",
       "main",
       90,
       2,
       64_KiB,
       kV1,
       kNvlink,
       kYes,
       bf16,
       {{"SGLANG_OPT_USE_CUSTOM_ALL_REDUCE_V2", "0"}}},
  });
}

TEST_CASE("Each path that is not taken has its reason, and what is missing has its name") {
  const SupportTable table = find_support_table("vllm");
  const auto why = [&](const Expected& call, const std::string& path) {
    const SupportAnswer result = answer(table, call);
    const auto found = std::ranges::find(result.paths, path, [](auto& one) { return one.path->name; });
    return found == result.paths.end() ? "no such path" : found->why_not;
  };
  const Expected six{"vllm", "main", 120, 3, 64_KiB, "pynccl", kPeer, kNo};
  CHECK(why(six, "pynccl").empty());
  CHECK(why(six, "custom") == "takes 2, 4, 6 or 8 ranks on one host");
  CHECK(why(six, "torch-symm-mem") == "takes compute capability 9.0, 10.0, 10.3 or 10.7, not 12.0");
  CHECK(why(six, "nccl-symm-mem") == "is off without VLLM_USE_NCCL_SYMM_MEM=1");
  CHECK(why(six, "flashinfer-fusion") == "serves only calls that are followed by an RMSNorm");
  CHECK(why(six, "torch.distributed") == "asked after pynccl");
  const Expected four{"vllm", "main", 120, 4, 64_KiB, "pynccl", kPeer, kNo};
  CHECK(why(four, "custom") == "needs NVLink between every two GPUs");
  const Expected large{"vllm", "main", 90, 2, 8_MiB, "torch-symm-mem"};
  CHECK(why(large, "custom") == "takes messages below 8M");
  const Expected half{"vllm", "main", 90, 2, 64_MiB, "pynccl", kNvlink, kYes, DType::fp16};
  CHECK(why(half, "torch-symm-mem") == "takes bf16, not fp16");
  const Expected open{"vllm", "main", 90, 8, 1_MiB, "?", kNvlink, {}};
  CHECK(answer(table, open).missing == std::vector<std::string>{"whether the GPUs can use multicast"});
  CHECK(why(open, "torch-symm-mem") == "not known: whether the GPUs can use multicast");
}

TEST_CASE("A version is one that was read, or says what is not checked about it") {
  const std::vector<ReadEdition> read = {
      {"0.11.0", "2025-10-01", "a"}, {"0.12.0", "2025-12-03", "b"}, {"main", "2026-08-17", "c"}};
  CHECK(find_edition(read, "").from == "2026-08-17");
  CHECK(find_edition(read, "v0.12.0").name == "0.12.0");
  CHECK(find_edition(read, "0.12").from == "2025-12-03");
  CHECK(find_edition(read, "2026-01-01").note.empty());
  const Edition newer = find_edition(read, "2026-08-18");
  CHECK(newer.standing == Edition::Standing::newer);
  CHECK(newer.note == "rules read up to main of 2026-08-17; yours is newer: not checked");
  CHECK(find_edition(read, "0.10.2").standing == Edition::Standing::older);
  CHECK(find_edition(read, "0.12.0rc1").from == "2025-10-01");
  const Edition between = find_edition(read, "0.11.1");
  CHECK(between.standing == Edition::Standing::between);
  CHECK(between.from + " " + between.to == "2025-10-01 2025-12-03");
  const Edition beyond = find_edition(read, "0.99.0");
  CHECK(beyond.to == "2026-08-17");
  CHECK(beyond.note.find("it may be newer than main of 2026-08-17") != std::string::npos);
  for (const char* name : {"new", "0.12.", "2026-13-01", "2026-02-30", "0000-01-01", "0..1", "@"})
    CHECK_THROWS_AS(find_edition(read, name), UsageError);
}

TEST_CASE("A rule that changed within the days that a version may be of leaves the way open") {
  check({
      {"vllm", "0.15.0", 90, 2, 64_MiB, "?"},
      {"vllm", "0.15.0", 90, 2, 64_KiB, kOne},
      {"vllm", "0.11.1", 90, 2, 64_MiB, "pynccl"},
  });
}

TEST_CASE("FlashInfer's allreduces stand for themselves, by the version that has them") {
  const SupportTable table = find_support_table("flashinfer");
  const auto can = [&](const char* version, int capability, const std::string& path) {
    const SupportAnswer result =
        answer(table, {"flashinfer", version, capability, 2, 64_KiB, "", kPeer, false});
    CHECK(result.choice() == nullptr);
    return std::ranges::find(result.paths, path, [](auto& one) { return one.path->name; })->result.outcome;
  };
  CHECK(can("0.6.16", 120, "trtllm") == Outcome::fails);
  CHECK(can("0.6.17", 120, "trtllm") == Outcome::holds);
  CHECK(can("0.6.3", 90, "trtllm") == Outcome::holds);
  CHECK(can("0.6.18", 120, "mnnvl") == Outcome::fails);
  CHECK(can("0.6.18", 90, "mnnvl") == Outcome::fails);  // no multicast
  CHECK(can("0.6.16", 120, "pcie-ipc") == Outcome::fails);
  CHECK(can("0.6.18", 120, "pcie-ipc") == Outcome::unknown);
  CHECK(can("main", 120, "pcie-ipc") == Outcome::holds);
}

TEST_CASE("A table with a rule that can't be meant is refused with its place") {
  const auto read = [](const std::string& rule) {
    return read_support_table({"x", "x.toml",
                               "framework = \"x\"\ntitle = \"X\"\n[[edition]]\nversion = \"1\"\ndate = "
                               "\"2026-01-01\"\n[[path]]\nname = \"a\"\ntitle = \"A\"\nrules = [" +
                                   rule + "]\n"});
  };
  CHECK_NOTHROW(read("{ranks = [2]}"));
  for (const char* rule :
       {"{}", "{ranks = [2], majors = [9]}", "{ranks = [2], since = \"2026-1-1\"}", "{link = \"usb\"}",
        "{gives_way_to = [\"b\"]}", "{unless_started = \"b\"}", "{fact = \"f\"}", "{multicast = false}",
        "{outside = [\"2K\", \"1K\"]}", "{capabilities = [\"90\"]}", "{nccl = \"2.27\"}", "{rank = [2]}",
        "{ranks = [2], since = \"2026-02-01\", until = \"2026-01-01\"}", "{at_most = {x = \"1K\"}}"}) {
    INFO(rule);
    CHECK_THROWS_AS(read(rule), UsageError);
  }
}
