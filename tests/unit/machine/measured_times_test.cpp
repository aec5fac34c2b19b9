#include "machine/measured_times.hpp"

#include "base/errors.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

std::vector<MeasuredTimes> read(const std::string& text) {
  return read_measured_times(text, "times.txt");
}

const std::string kNccl =
    "# nccl-tests version 2.18.3 nccl-headers=22907 nccl-library=22907\n"
    "# Collective test starting: all_reduce_perf\n"
    "# nThread 1 nGpus 1 minBytes 1024 maxBytes 65536 step: 2(factor) warmup iters: 1 iters: 20 agg iters: 1 "
    "validation: 1 graph: 20\n#\n# Using devices\n"
    "#  Rank  0 Group  0 Pid  14010 on box device  0 [0000:06:00] NVIDIA H200\n"
    "#  Rank  1 Group  0 Pid  14011 on box device  1 [0000:09:00] NVIDIA H200\n#\n"
    "#                                                              out-of-place                       "
    "in-place\n"
    "#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw  "
    " busbw  "
    "#wrong\n"
    "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  (GB/s)  "
    "(GB/s)\n"
    "           0             0  bfloat16     sum      -1     0.24    0.00    0.00       0     0.18    0.00  "
    "  0.00      "
    " 0\n"
    "        1024           512  bfloat16     sum      -1    10.50    0.24    0.24       0    11.21    0.24  "
    "  0.24      "
    " 0\n"
    "box:14010:14020 [0] NCCL INFO Launch mode Parallel\n"
    "       65536         32768  bfloat16     sum      -1    31.00    0.24    0.24       0    32.21    0.24  "
    "  0.24     "
    "N/A\n"
    "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 0.24\n";

std::string with(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace

TEST_CASE("nccl-tests' output gives time by size with ranks, version and GPU") {
  const auto times = read(kNccl);
  REQUIRE(times.size() == 1);
  CHECK(times[0].us == std::map<double, double>{{1024, 10.5}, {65536, 31}});
  CHECK(times[0].ranks == 2);
  CHECK(times[0].dtype == "bfloat16");
  CHECK(times[0].strategy == "NCCL 2.29.7");
  CHECK(times[0].gpu == "NVIDIA H200");
  CHECK(times[0].mode == Mode::graph);
  CHECK(times[0].collective == Collective::allreduce);
  CHECK(times[0].doubt.empty());
}

TEST_CASE("mpirun's tags, an older library and repeated sizes change no time") {
  std::string tagged;
  std::string_view rest = kNccl;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    tagged += "[1,0]<stdout>:" + std::string(rest.substr(0, end)) + "\r\n";
    rest.remove_prefix(end + 1);
  }
  CHECK(read(tagged).at(0).us == read(kNccl).at(0).us);
  CHECK(read(tagged).at(0).ranks == 2);
  const std::string row =
      kNccl.substr(kNccl.find("        1024"), kNccl.find("box:14010") - kNccl.find("        1024"));
  CHECK(read(kNccl + with(row, "10.50", "12.50") + with(row, "10.50", "99.00")).at(0).us.at(1024) == 12.5);
}

TEST_CASE("runs one behind the other are times of their own") {
  const auto times = read(kNccl + with(with(kNccl, "all_reduce_perf", "alltoall_perf"), "31.00", "40.00"));
  REQUIRE(times.size() == 2);
  CHECK(times[1].collective == Collective::alltoall);
  CHECK(times[1].us.at(65536) == 40);
  CHECK(times[1].ranks == 2);
}

TEST_CASE("a run of another collective is refused, one that isn't named is said") {
  CHECK_THROWS_WITH(
      read(with(kNccl, "all_reduce_perf", "all_gather_perf")),
      "times.txt: times of all_gather_perf are of another collective than allreduce and all-to-all");
  const std::string nameless = with(kNccl, "# Collective test starting: all_reduce_perf\n", "");
  CHECK(read(nameless).at(0).doubt ==
        "times.txt: it doesn't say which of nccl-tests it is of; taken as all_reduce_perf");
  CHECK_THROWS_AS(read(with(nameless, " sum ", "none ")), UsageError);
}

TEST_CASE("a CSV has bytes and microseconds, with or without a header") {
  const std::map<double, double> expected = {{2048, 12.5}, {65536, 31}};
  for (const char* text :
       {"2048,12.5\n65536,31\n", "# ours\n2K;12.5\n\n64K;31\n", "bytes\tus\n2048\t12.5\n65536\t31",
        "time_ns,size\n12500,2048\n31000,65536\n", "2048 12.5\r\n65536  31\r\n",
        "name,message_size,latency_ms\na,2048,0.0125\nb,65536,0.031\n"}) {
    CAPTURE(text);
    const auto times = read(text);
    REQUIRE(times.size() == 1);
    REQUIRE(times[0].us.size() == 2);
    CHECK(times[0].us.at(2048) == Catch::Approx(expected.at(2048)));
    CHECK(times[0].us.at(65536) == Catch::Approx(expected.at(65536)));
    CHECK(times[0].ranks == 0);
  }
}

TEST_CASE("a CSV may name ranks, type and collective") {
  const auto times =
      read("collective,ranks,dtype,bytes,us\nall_reduce,8,bf16,2048,12\nalltoall,8,bf16,2048,20\n");
  REQUIRE(times.size() == 2);
  CHECK(times[0].ranks == 8);
  CHECK(times[0].dtype == "bf16");
  CHECK(times[1].collective == Collective::alltoall);
}

TEST_CASE("a CSV with a mistake is refused with the place") {
  CHECK_THROWS_WITH(read("bytes,us\n2048,12\n4096,-1\n"),
                    "times.txt:3: '-1' is no time above 0 and below an hour");
  CHECK_THROWS_WITH(read("bytes,us\n2048\n"), "times.txt:2: two columns are needed, bytes and microseconds");
  CHECK_THROWS_WITH(read("ranks,bytes,us\n1,2048,12\n"), "times.txt:2: '1' is no number of ranks");
  CHECK_THROWS_WITH(read("collective,bytes,us\nbroadcast,2048,12\n"),
                    "times.txt:2: 'broadcast' is neither allreduce nor alltoall");
  for (const char* text :
       {"", "x", "a,b\n1,2\n", "\n\n", "# only\n", "{", "2048\n", "2048,nan\n", "1e400,1\n"})
    CHECK_THROWS_AS(read(text), UsageError);
}

TEST_CASE("a server's allreduce is what NCCL chooses, in graphs, on as many ranks") {
  std::vector<MeasuredTimes> times(4);
  times[0] = {.ranks = 2, .strategy = "custom", .mode = Mode::graph};
  times[1] = {.ranks = 2, .strategy = "nccl-auto", .mode = Mode::eager};
  times[2] = {.ranks = 2, .strategy = "nccl-auto", .mode = Mode::graph};
  times[3] = {.ranks = 8, .strategy = "nccl-auto", .mode = Mode::graph};
  CHECK(server_times(times, Collective::allreduce, 2) == &times[2]);
  CHECK(server_times(times, Collective::allreduce, 8) == &times[3]);
  CHECK(server_times(times, Collective::allreduce, 4) == nullptr);
  CHECK(server_times(times, Collective::alltoall, 2) == nullptr);
  times[3].ranks = 0;
  CHECK(server_times(times, Collective::allreduce, 4) == &times[3]);
}

TEST_CASE("a result of probe-comm gives the medians of its measured rows") {
  Document document;
  document.machine.facts = {{"gpu0_name", "NVIDIA H200"}};
  for (const std::uint64_t bytes : {2048, 4096}) {
    Row row;
    row.params = {.strategy = "nccl-auto",
                  .family = "nccl",
                  .device = DeviceKind::cuda,
                  .mode = Mode::graph,
                  .bytes = {bytes},
                  .ranks = 2};
    row.status = Status::pass;
    row.time.emplace().median_ns = static_cast<double>(bytes);
    document.rows.push_back(row);
  }
  document.rows.push_back(document.rows.back());
  document.rows.back().status = Status::failed;
  document.rows.back().time->median_ns = 1;
  const auto times = times_of(document, "box.json");
  REQUIRE(times.size() == 1);
  CHECK(times[0].us == std::map<double, double>{{2048, 2.048}, {4096, 4.096}});
  CHECK(times[0].source == "box.json, nccl-auto bf16 graph, 2 ranks");
  CHECK(times[0].gpu == "NVIDIA H200");
}
