#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/fd.hpp"

namespace ringside {

// What a rank is doing, as the coordinator names it when the rank is lost.
enum class Phase : std::uint32_t {
  starting,
  idle,
  connecting,
  preparing,
  first_call,
  verifying,
  timing,
  releasing
};

std::string_view to_string(Phase phase);

// One rank's cell: written by the rank, read by the coordinator at any time, also after the rank's death.
struct alignas(64) ProgressCell {
  std::atomic<Phase> phase{Phase::starting};
  std::atomic<std::uint64_t> steps{0};  // goes up with each finished piece of work
};

// Sets the phase for as long as it lives; then the one before.
class PhaseScope {
 public:
  PhaseScope(ProgressCell& cell, Phase phase) : cell_(cell), before_(cell.phase.exchange(phase)) {}
  PhaseScope(const PhaseScope&) = delete;
  PhaseScope& operator=(const PhaseScope&) = delete;
  ~PhaseScope() {
    cell_.steps.fetch_add(1, std::memory_order_relaxed);
    cell_.phase.store(before_);
  }

 private:
  ProgressCell& cell_;
  Phase before_;
};

// The cells of a group in one shared page (a memfd: nothing stays in /dev/shm).
class ProgressCells {
 public:
  explicit ProgressCells(int ranks);      // coordinator: makes the page
  ProgressCells(UniqueFd fd, int ranks);  // rank: maps it
  ProgressCells(const ProgressCells&) = delete;
  ProgressCells& operator=(const ProgressCells&) = delete;
  ~ProgressCells();

  int fd() const { return fd_.get(); }
  ProgressCell& operator[](int rank) const { return cells_[static_cast<std::size_t>(rank)]; }

 private:
  void map();

  UniqueFd fd_;
  std::size_t bytes_;
  std::span<ProgressCell> cells_;
};

}  // namespace ringside
