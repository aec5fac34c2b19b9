#include "inittrace/live_run.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/fd.hpp"
#include "base/input_file.hpp"
#include "base/output_file.hpp"
#include "inittrace/source_script.hpp"

namespace ringside {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kGrace{10};
constexpr std::size_t kMaxEventBytes = std::size_t{256} << 20;

// The folder with the hook and the file of its reports; gone with the object.
class HookFolder {
 public:
  HookFolder() {
    std::string name = (fs::temp_directory_path() / "ringside-live-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw SystemError("mkdtemp " + name, errno);
    path_ = name;
    std::ofstream(path_ / "sitecustomize.py") << live_hook();
    std::ofstream(events()).flush();
  }
  HookFolder(const HookFolder&) = delete;
  HookFolder& operator=(const HookFolder&) = delete;
  ~HookFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  std::string path() const { return path_.string(); }
  std::string events() const { return (path_ / "events").string(); }

  std::vector<std::string> environment() const {
    std::vector<std::string> variables;
    std::string python_path = path_.string();
    for (char** entry = environ; *entry; ++entry) {
      const std::string_view text(*entry);
      if (text.starts_with("PYTHONPATH=")) {
        if (text.size() > 11) python_path.append(":").append(text.substr(11));
      } else {
        variables.emplace_back(text);
      }
    }
    variables.push_back("PYTHONPATH=" + python_path);
    variables.push_back("RINGSIDE_LIVE_FILE=" + events());
    return variables;
  }

 private:
  fs::path path_;
};

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (const std::string& text : texts) all.push_back(const_cast<char*>(text.c_str()));
  all.push_back(nullptr);
  return all;
}

// The command as a process group of its own, its output in a pipe.
class LiveProcess {
 public:
  LiveProcess(const std::vector<std::string>& command, const HookFolder& hook) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw SystemError("pipe2", errno);
    output_ = UniqueFd(ends[0]);
    UniqueFd write_end(ends[1]);
    const std::vector<std::string> variables = hook.environment();
    const std::vector<char*> argv = pointers(command), environment = pointers(variables);
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ < 0) throw SystemError("fork", errno);
    if (pid_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) _exit(127);
      ::setpgid(0, 0);
      ::dup2(write_end.get(), STDOUT_FILENO);
      ::dup2(write_end.get(), STDERR_FILENO);
      ::signal(SIGPIPE, SIG_DFL);
      ::execvpe(argv[0], argv.data(), environment.data());
      _exit(127);
    }
    ::setpgid(pid_, pid_);
  }
  LiveProcess(const LiveProcess&) = delete;
  LiveProcess& operator=(const LiveProcess&) = delete;
  ~LiveProcess() {
    signal_all(SIGKILL);
    if (!reaped_) wait();
  }

  int output() const { return output_.get(); }
  void signal_all(int number) const { ::kill(-pid_, number); }
  bool ended() {
    if (!reaped_ && ::waitpid(pid_, &status_, WNOHANG) == pid_) reaped_ = true;
    return reaped_;
  }
  int status() const { return status_; }

 private:
  void wait() {
    while (::waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
    }
    reaped_ = true;
  }

  UniqueFd output_;
  pid_t pid_ = -1;
  int status_ = 0;
  bool reaped_ = false;
};

double wall_clock() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// The hook stands between the server's own frames; it is none of them.
void leave_out_hook(const std::string& folder, LogReport& log) {
  for (LoggedTraceback& traceback : log.tracebacks)
    std::erase_if(traceback.death.frames,
                  [&](const TraceFrame& frame) { return frame.file.starts_with(folder); });
}

}  // namespace

LiveRun run_live(const std::vector<std::string>& command, const std::vector<Signature>& signatures,
                 const std::vector<Milestone>& milestones, const std::function<bool()>& stop) {
  const HookFolder hook;
  const double start = wall_clock();
  LiveRun run;
  LogReader reader(signatures, milestones);
  {
    LiveProcess process(command, hook);
    std::array<char, 65536> buffer;
    std::optional<Clock::time_point> deadline;
    while (true) {
      if (stop() && !deadline) {
        run.interrupted = true;
        process.signal_all(SIGINT);
        deadline = Clock::now() + kGrace;
      }
      if (deadline && Clock::now() > *deadline) process.signal_all(SIGKILL);
      pollfd wait{process.output(), POLLIN, 0};
      if (::poll(&wait, 1, 100) > 0) {
        const ssize_t got = ::read(process.output(), buffer.data(), buffer.size());
        if (got > 0) {
          const std::string_view text(buffer.data(), static_cast<std::size_t>(got));
          reader.feed(text);
          write_all(STDERR_FILENO, text, "stderr");
          continue;
        }
        if (got == 0) break;
      }
      if (process.ended()) break;  // what still holds its output is ended with it
    }
    while (!process.ended() && !(deadline && Clock::now() > *deadline + kGrace))
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    run.status = process.status();
  }
  if (WIFEXITED(run.status) && WEXITSTATUS(run.status) == 127)
    throw EnvironmentError(fmt::format("can't start {}: is it on PATH, and executable?", command.front()));
  run.log = reader.finish();
  leave_out_hook(hook.path(), run.log);
  run.events = parse_events(read_text_file(hook.events(), kMaxEventBytes), start);
  return run;
}

}  // namespace ringside
