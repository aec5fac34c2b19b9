#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/fd.hpp"

namespace ringside {

// The end of what a rank printed. Its pipe is always drained, so that a library that prints much can't block
// it.
class OutputTail {
 public:
  static constexpr std::size_t kKeep = 64 * 1024;  // bytes

  explicit OutputTail(UniqueFd pipe) : pipe_(std::move(pipe)) {}

  int fd() const { return pipe_.get(); }  // -1 once the writer has closed
  void drain();                           // takes what is there, without waiting
  const std::string& text() const { return text_; }
  std::vector<std::string> last_lines(std::size_t count) const;

 private:
  UniqueFd pipe_;
  std::string text_;
};

}  // namespace ringside
