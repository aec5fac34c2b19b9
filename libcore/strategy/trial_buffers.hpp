#pragma once

#include "device/arena.hpp"

namespace ringside {

// Input and output of calls that are only tried while a case is prepared. They are the top of the arena, and
// given back with the object.
class TrialBuffers {
 public:
  TrialBuffers(Arena& arena, Bytes message)
      : arena_(arena),
        before_(arena.used()),
        input_(arena.allocate(message)),
        output_(arena.allocate(message)) {}
  TrialBuffers(const TrialBuffers&) = delete;
  TrialBuffers& operator=(const TrialBuffers&) = delete;
  ~TrialBuffers() { arena_.rewind(before_); }

  std::byte* input() const { return input_; }
  std::byte* output() const { return output_; }

 private:
  Arena& arena_;
  Bytes before_;
  std::byte* input_;
  std::byte* output_;
};

}  // namespace ringside
