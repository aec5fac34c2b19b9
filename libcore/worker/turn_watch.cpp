#include "worker/turn_watch.hpp"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <string_view>

namespace ringside {
namespace {

std::optional<double> thread_cpu_ns() {
  timespec time{};
  if (::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0) return std::nullopt;
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

double wall_ns() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Each step needs the result of the one before, so that only the clock decides how long they take.
double spin_once() {
  constexpr int kSteps = 8000;
  volatile std::uint64_t start = 1;
  std::uint64_t value = start;
  const double begin = wall_ns();
  for (int step = 0; step < kSteps; ++step) value = value * 6364136223846793005u + 1442695040888963407u;
  start = value;
  return wall_ns() - begin;
}

// The best of some: an interrupt lengthens one of them.
double spin() {
  constexpr int kTries = 5;
  double best = spin_once();
  for (int more = 1; more < kTries; ++more) best = std::min(best, spin_once());
  return best;
}

}  // namespace

TurnWatch::TurnWatch(bool spins)
    : schedule_(::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)), spins_(spins) {}

// "2582850 157386 2": ns on a core, ns runnable without one, how often it got one (proc(5)).
TurnWatch::Counts TurnWatch::counts() const {
  Counts counts;
  counts.wall_ns = wall_ns();
  counts.cpu_ns = thread_cpu_ns();
  if (!schedule_) return counts;
  std::array<char, 96> text;
  const ssize_t length = ::pread(schedule_.get(), text.data(), text.size(), 0);
  if (length <= 0) return counts;
  const std::string_view line(text.data(), static_cast<std::size_t>(length));
  const std::size_t gap = line.find(' ');
  if (gap == std::string_view::npos) return counts;
  double waited = 0;
  if (std::from_chars(line.data() + gap + 1, line.data() + line.size(), waited).ec == std::errc{})
    counts.waited_ns = waited;
  return counts;
}

void TurnWatch::begin() {
  if (spins_) spin_ns_ = spin();
  before_ = counts();
}

TurnConditions TurnWatch::end() {
  const Counts after = counts();
  TurnConditions conditions;
  conditions.wall_ns = after.wall_ns - before_.wall_ns;
  if (after.cpu_ns && before_.cpu_ns) conditions.cpu_ns = *after.cpu_ns - *before_.cpu_ns;
  if (after.waited_ns && before_.waited_ns) conditions.waited_ns = *after.waited_ns - *before_.waited_ns;
  conditions.spin_ns = spin_ns_;
  return conditions;
}

}  // namespace ringside
