#include "inittrace/child_output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/fd.hpp"

namespace ringside {

namespace {

constexpr std::size_t kErrorTail = 4096;

struct Pipe {
  UniqueFd read_end, write_end;
};

Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw SystemError("pipe2", errno);
  return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

void limit(int resource, std::size_t value) {
  const rlimit both{value, value};
  ::setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

// In the child, between fork and exec: only async-signal-safe calls.
[[noreturn]] void become(char* const* argv, int in, int out, int error, const ChildLimits& limits) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::setpgid(0, 0);
  ::dup2(in, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(error, STDERR_FILENO);
  limit(RLIMIT_AS, limits.memory_bytes);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, static_cast<std::size_t>(limits.wall.count() / 1000 + 1));
  char path[] = "PATH=/usr/local/bin:/usr/bin:/bin";
  char language[] = "LANG=C.UTF-8";
  char* environment[] = {path, language, nullptr};
  ::execvpe(argv[0], argv, environment);
  _exit(127);
}

void keep_tail(std::string& text, std::string_view more) {
  text.append(more);
  if (text.size() > kErrorTail) text.erase(0, text.size() - kErrorTail);
}

class Feeder {
 public:
  Feeder(UniqueFd fd, const std::string& text) : fd_(std::move(fd)), text_(text) {
    ::fcntl(fd_.get(), F_SETFL, O_NONBLOCK);
    if (text.empty()) fd_.reset();
  }
  int fd() const { return fd_.get(); }
  void write() {
    const ssize_t done = ::write(fd_.get(), text_.data() + at_, text_.size() - at_);
    if (done < 0 && (errno == EAGAIN || errno == EINTR)) return;
    at_ = done < 0 ? text_.size()
                   : at_ + static_cast<std::size_t>(done);  // a child that reads no further is fine
    if (at_ == text_.size()) fd_.reset();
  }

 private:
  UniqueFd fd_;
  const std::string& text_;
  std::size_t at_ = 0;
};

// Reads what there is; closes at the end of the stream.
template <typename Take>
void drain(UniqueFd& fd, Take take) {
  std::array<char, 65536> buffer;
  const ssize_t got = ::read(fd.get(), buffer.data(), buffer.size());
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0)
    fd.reset();
  else
    take(std::string_view(buffer.data(), static_cast<std::size_t>(got)));
}

}  // namespace

ChildResult run_child(const std::vector<std::string>& argv, const std::string& input,
                      const ChildLimits& limits) {
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  Pipe in = make_pipe(), out = make_pipe(), error = make_pipe();
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) throw SystemError("fork", errno);
  if (child == 0) {
    if (::getppid() != parent) _exit(127);
    become(words.data(), in.read_end.get(), out.write_end.get(), error.write_end.get(), limits);
  }
  in.read_end.reset();
  out.write_end.reset();
  error.write_end.reset();

  ChildResult result;
  Feeder feeder(std::move(in.write_end), input);
  const auto deadline = std::chrono::steady_clock::now() + limits.wall;
  while (out.read_end || error.read_end) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0 || result.output_too_large) {
      result.timed_out = !result.output_too_large;
      break;
    }
    std::array<pollfd, 3> waits = {
        {{out.read_end.get(), POLLIN, 0}, {error.read_end.get(), POLLIN, 0}, {feeder.fd(), POLLOUT, 0}}};
    if (::poll(waits.data(), waits.size(), static_cast<int>(left.count())) < 0 && errno != EINTR) break;
    if (waits[0].revents)
      drain(out.read_end, [&](std::string_view more) {
        result.out.append(more);
        result.output_too_large = result.out.size() > limits.output_bytes;
      });
    if (waits[1].revents)
      drain(error.read_end, [&](std::string_view more) { keep_tail(result.error_tail, more); });
    if (waits[2].revents) feeder.write();
  }
  ::kill(-child, SIGKILL);  // it and whatever it may have started; a child that has ended is only waited for
  ::kill(child, SIGKILL);
  while (::waitpid(child, &result.status, 0) < 0 && errno == EINTR) {
  }
  return result;
}

}  // namespace ringside
