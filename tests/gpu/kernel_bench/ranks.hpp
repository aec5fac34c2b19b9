#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <vector>

namespace ringside::bench {

inline constexpr int kMaxRanks = 8;

// What the processes of one run share: a page from before the fork.
struct SharedPage {
  std::atomic<int> arrived{0};
  std::atomic<int> generation{0};
  std::atomic<bool> broken{false};  // a rank has left; whoever waits gives up
  double values[kMaxRanks] = {};
};

// How the other ranks come to be.
enum class Others {
  forked,
  // By exec, with next to nothing of this process's environment: a profiler that was loaded into this process
  // is not in them.
  executed
};

// One process's view of the group.
class Ranks {
 public:
  // Runs `body` as rank 0 in this process and as the other ranks in children of it; waits for them. True when
  // all returned 0. A process that takes longer than `limit_s` is ended, this one too. Nothing of CUDA may
  // have been used before. `argv`: main()'s; an executed rank gets the same and comes by here again.
  static bool run(int ranks, unsigned limit_s, Others others, char** argv,
                  const std::function<int(Ranks&)>& body);

  int rank() const { return rank_; }
  int size() const { return size_; }

  void barrier();
  double max(double mine);
  // Everybody's descriptor, by rank; own ones are duplicates.
  std::vector<int> exchange_fd(int mine);

 private:
  Ranks(int rank, int size, SharedPage& page, std::vector<int> sockets)
      : rank_(rank), size_(size), page_(page), sockets_(std::move(sockets)) {}

  int rank_;
  int size_;
  SharedPage& page_;
  std::vector<int> sockets_;  // to each peer
};

}  // namespace ringside::bench
