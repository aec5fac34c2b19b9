#include "base/run_to_end.hpp"

#include <algorithm>

namespace ringside {
namespace {

using std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kLook = 50ms;        // between looks at stop_requested
constexpr auto kKillTimeout = 10s;  // for SIGKILL to end it
constexpr auto kLong = 1h;          // of sleep, where there is nothing to look at

// What there is to do about a running child, and when.
class Supervisor {
 public:
  Supervisor(Subprocess& child, const Supervision& supervision) : child_(child), supervision_(supervision) {
    if (supervision.timeout) kill_at_ = steady_clock::now() + *supervision.timeout;
  }

  // Returns false when nothing is left to be done.
  bool look() {
    const auto now = steady_clock::now();
    if (give_up_at_) return now < *give_up_at_;
    if (stop_ == ChildResult::Stop::none && supervision_.stop_requested && supervision_.stop_requested()) {
      stop_ = ChildResult::Stop::interrupted;
      if (supervision_.grace > 0ms) child_.signal(supervision_.stop_signal);
      kill_at_ = std::min(kill_at_.value_or(steady_clock::time_point::max()), now + supervision_.grace);
    }
    if (kill_at_ && now >= *kill_at_) {
      if (stop_ == ChildResult::Stop::none) stop_ = ChildResult::Stop::timed_out;
      child_.kill();
      give_up_at_ = now + kKillTimeout;
    }
    return true;
  }

  // How long it may be left alone.
  std::chrono::milliseconds pause() const {
    std::chrono::milliseconds pause = kLong;
    if (supervision_.stop_requested && stop_ == ChildResult::Stop::none) pause = kLook;
    const auto next = give_up_at_ ? give_up_at_ : kill_at_;
    if (!next) return pause;
    return std::clamp(std::chrono::ceil<std::chrono::milliseconds>(*next - steady_clock::now()), 0ms, pause);
  }

  ChildResult::Stop stop() const { return stop_; }

 private:
  Subprocess& child_;
  const Supervision& supervision_;
  ChildResult::Stop stop_ = ChildResult::Stop::none;
  std::optional<steady_clock::time_point> kill_at_;
  std::optional<steady_clock::time_point> give_up_at_;
};

}  // namespace

ChildResult run_to_end(const Program& program, const Streams& streams, const Supervision& supervision) {
  Subprocess child(program, streams);
  Supervisor supervisor(child, supervision);
  while (!child.end() && supervisor.look()) child.wait(supervisor.pause());
  return {supervisor.stop(), child.end().value_or(ProcessEnd{ProcessEnd::Kind::running, 0}),
          std::string(child.output().text()), std::string(child.errors().text())};
}

std::string describe(const ChildResult& result) {
  if (result.end.kind == ProcessEnd::Kind::running) return describe(result.end);
  if (result.stop == ChildResult::Stop::timed_out) return "did not end in time";
  if (result.stop == ChildResult::Stop::interrupted) return "was interrupted";
  return describe(result.end);
}

}  // namespace ringside
