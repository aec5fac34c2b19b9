// What two cores can do with fresh data, found without any of ringside's code: two threads, each on a core of
// its own, anonymous shared memory. A flag: each writes one that the other waits for. A sum: each writes its
// whole input, then both add at the same time, the one-shot way (own output from both inputs) and the
// two-shot way (half of both outputs, through the caches and around them), without any word between them; the
// fastest way counts. fresh_sums CORE CORE BYTES...: prints one line of JSON.
#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace {

using Clock = std::chrono::steady_clock;
using Counter = std::atomic<std::uint64_t>;

constexpr std::size_t kLeast = 64 * 1024;
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr int kLines = 48;  // of flags that are tried for each core
constexpr std::size_t kLineStride = 4096 + 192;
constexpr int kWays = 3;

double ns_since(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

char* memory(std::size_t bytes) {
  void* const data =
      mmap(nullptr, bytes + kHugePage, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) std::exit(3);
  const auto address = (reinterpret_cast<std::uintptr_t>(data) + kHugePage - 1) / kHugePage * kHugePage;
  char* const aligned = reinterpret_cast<char*>(address);
  madvise(aligned, bytes, MADV_HUGEPAGE);
  std::fill_n(aligned, bytes, 0);
  return aligned;
}

struct Both {
  char* flags[2];
  float* input[2];
  float* output[2];
  std::size_t count = 0;  // elements that are added up
  double latency_ns[2] = {};
  std::vector<double> times_ns[2][kWays];
  std::atomic<int> places[2] = {0, 0};  // of the flags that each waits for
};

class Core {
 public:
  Core(Both& both, int me, int core) : both_(both), me_(me) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<unsigned>(core), &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) std::exit(3);
  }

  void meet() { exchange(0, 0); }

  // The places of both flags one after the other: where a line has its home decides how far it is.
  void find_latency() {
    for (int varied = 0; varied < 2; ++varied) {
      double best = 1e18;
      int fastest = 0;
      for (int place = 1; place <= kLines; ++place) {
        int at[2] = {both_.places[0].load(), both_.places[1].load()};
        at[varied] = place;
        const double time_ns = train(at, 5);
        if (time_ns < best) {
          best = time_ns;
          fastest = place;
        }
      }
      if (me_ == 0) both_.places[varied] = fastest;
      meet();
    }
    const int at[2] = {both_.places[0].load(), both_.places[1].load()};
    both_.latency_ns[me_] = train(at, 60);
  }

  void add(int way, std::size_t samples) {
    const std::size_t half = both_.count / 2;
    const std::size_t from = me_ == 0 ? 0 : half;
    for (std::size_t sample = 0; sample < samples; ++sample) {
      const auto fresh = static_cast<float>(sample % 1000 + 1);
      std::fill_n(both_.input[me_], both_.count, fresh);
      float seen = 0;
      for (std::size_t i = 0; i < both_.count; i += 16) seen += both_.output[me_][i];
      kept_ = seen;
      meet();
      meet();
      const Clock::time_point start = Clock::now();
      if (way == 0) one_shot();
      if (way == 1) two_shot(from, half);
      if (way == 2) two_shot_around(from, half);
      std::atomic_thread_fence(std::memory_order_seq_cst);
      both_.times_ns[me_][way].push_back(ns_since(start));
      meet();
    }
  }

 private:
  Counter& flag(int owner, int place) const {
    return *reinterpret_cast<Counter*>(both_.flags[owner] + static_cast<std::size_t>(place) * kLineStride);
  }

  // `mine`, `theirs`: places of the flag that this core waits for, and of the other one.
  void exchange(int mine, int theirs) {
    ++count_;
    flag(1 - me_, theirs).store(count_, std::memory_order_release);
    while (flag(me_, mine).load(std::memory_order_acquire) < count_) {
    }
  }

  double train(const int (&at)[2], int trains) {
    constexpr int kRounds = 100;
    double best = 1e18;
    for (int i = 0; i < trains; ++i) {
      const Clock::time_point start = Clock::now();
      for (int round = 0; round < kRounds; ++round) exchange(at[me_], at[1 - me_]);
      best = std::min(best, ns_since(start) / kRounds);
    }
    return best;
  }

  void one_shot() {
    const float* a = both_.input[0];
    const float* b = both_.input[1];
    float* __restrict out = both_.output[me_];
    for (std::size_t i = 0; i < both_.count; ++i) out[i] = a[i] + b[i];
  }

  void two_shot(std::size_t from, std::size_t count) {
    const float* a = both_.input[0] + from;
    const float* b = both_.input[1] + from;
    float* __restrict out = both_.output[0] + from;
    float* __restrict too = both_.output[1] + from;
    for (std::size_t i = 0; i < count; ++i) out[i] = too[i] = a[i] + b[i];
  }

  void two_shot_around(std::size_t from, std::size_t count) {
#if defined(__SSE2__)
    const float* a = both_.input[0] + from;
    const float* b = both_.input[1] + from;
    for (std::size_t i = 0; i < count; i += 16) {  // whole lines, one output after the other
      for (float* out : {both_.output[0] + from, both_.output[1] + from}) {
        for (std::size_t j = i; j < i + 16; j += 4)
          _mm_stream_ps(out + j, _mm_add_ps(_mm_load_ps(a + j), _mm_load_ps(b + j)));
      }
    }
    _mm_sfence();
#else
    two_shot(from, count);
#endif
  }

  Both& both_;
  int me_;
  std::uint64_t count_ = 0;
  volatile float kept_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: fresh_sums CORE CORE BYTES...\n");
    return 2;
  }
  std::vector<std::size_t> sizes;
  for (int i = 3; i < argc; ++i) sizes.push_back(std::strtoull(argv[i], nullptr, 10));
  const std::size_t most = std::max(kLeast, *std::max_element(sizes.begin(), sizes.end()));
  Both both;
  for (int core : {0, 1}) {
    both.flags[core] = memory((kLines + 1) * kLineStride);
    both.input[core] = reinterpret_cast<float*>(memory(most));
    both.output[core] = reinterpret_cast<float*>(memory(most));
  }
  const auto run = [&](int me, const auto& work) {
    Core core(both, me, std::atoi(argv[1 + me]));
    work(core);
  };
  const auto work = [&](Core& core) {
    core.find_latency();
    for (std::size_t index = 0; index < sizes.size(); ++index) {
      const std::size_t bytes = std::max(kLeast, sizes[index] / 128 * 128);
      const std::size_t samples = std::clamp<std::size_t>((std::size_t{64} << 20) / bytes, 12, 300);
      both.count = bytes / sizeof(float);
      core.meet();
      for (int way = 0; way < kWays; ++way) core.add(way, samples);
    }
  };
  std::thread other([&] { run(1, work); });
  run(0, work);
  other.join();
  std::printf("{\"one_way_latency_ns\": %.1f, \"gbps\": {", std::max(both.latency_ns[0], both.latency_ns[1]));
  std::size_t begin = 0;
  for (std::size_t index = 0; index < sizes.size(); ++index) {
    const std::size_t bytes = std::max(kLeast, sizes[index] / 128 * 128);
    const std::size_t samples = std::clamp<std::size_t>((std::size_t{64} << 20) / bytes, 12, 300);
    double best_ns = 1e18;
    for (int way = 0; way < kWays; ++way) {
      for (std::size_t i = begin; i < begin + samples; ++i)
        best_ns = std::min(best_ns, std::max(both.times_ns[0][way][i], both.times_ns[1][way][i]));
    }
    begin += samples;
    std::printf("%s\"%zu\": %.3f", index == 0 ? "" : ", ", sizes[index],
                static_cast<double>(bytes) / best_ns);
  }
  std::printf("}}\n");
  return 0;
}
