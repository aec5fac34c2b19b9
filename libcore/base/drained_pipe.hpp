#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.hpp"

namespace ringside {

// What becomes of the bytes of a stream.
class Keep {
 public:
  using Sink = std::function<void(std::string_view)>;

  static Keep head(std::size_t bytes) { return {Part::head, bytes, {}}; }  // the first; the rest is dropped
  static Keep tail(std::size_t bytes) { return {Part::tail, bytes, {}}; }  // the last
  static Keep hand_to(Sink sink) { return {Part::none, 0, std::move(sink)}; }  // each chunk as it comes

  void add(std::string& text, std::string_view chunk) const;
  std::string_view kept(std::string_view text) const;  // of what add() has gathered

 private:
  enum class Part { none, head, tail };
  Keep(Part part, std::size_t bytes, Sink sink) : part_(part), bytes_(bytes), sink_(std::move(sink)) {}

  Part part_;
  std::size_t bytes_;
  Sink sink_;
};

// The read end of a pipe that is always drained, so that a writer who prints much is never blocked.
class DrainedPipe {
 public:
  DrainedPipe() = default;  // of no stream: empty, closed
  // Takes the descriptor and makes it non-blocking.
  DrainedPipe(UniqueFd pipe, Keep keep);

  int fd() const { return pipe_.get(); }  // to poll for POLLIN; -1 once every writer has closed

  // Takes what is there, without waiting, at most 1 MiB, so that an endless writer does not hold up the
  // caller. Returns the bytes taken; throws what a sink throws.
  std::size_t drain();

  std::string_view text() const { return keep_.kept(text_); }    // valid until the next drain()
  std::vector<std::string> last_lines(std::size_t count) const;  // of text(), without blank ones

 private:
  UniqueFd pipe_;
  Keep keep_ = Keep::head(0);
  std::string text_;
};

}  // namespace ringside
