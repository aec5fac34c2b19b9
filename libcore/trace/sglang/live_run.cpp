#include "trace/sglang/live_run.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/fd.hpp"
#include "base/leftovers.hpp"
#include "base/output_file.hpp"
#include "base/printable.hpp"
#include "base/run_to_end.hpp"
#include "base/secrets.hpp"
#include "base/text.hpp"
#include "served/log_line.hpp"
#include "trace/sglang/source_script.hpp"

namespace ringside {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kGrace{10};
constexpr std::chrono::milliseconds kLinger{100};  // for the last words of what the command has started
constexpr std::size_t kMaxEventBytes = std::size_t{256} << 20;
constexpr std::string_view kFolder = "ringside-live-";

fs::path temporary_folder() {
  std::error_code problem;
  const fs::path folder = fs::temp_directory_path(problem);
  if (!problem) return folder;
  const char* const named = std::getenv("TMPDIR");
  throw EnvironmentError(
      fmt::format("no folder for temporary files: {} is none; set TMPDIR to one", named ? named : "/tmp"));
}

UniqueFd open_file(const fs::path& path, int flags) {
  UniqueFd fd(::open(path.c_str(), flags | O_CLOEXEC, 0600));
  if (!fd) throw SystemError("open " + path.string(), errno);
  return fd;
}

// The folder with the hook and the file of its reports; gone with the object, or with the command's guard.
class HookFolder {
 public:
  HookFolder() {
    const fs::path folder = temporary_folder();
    remove_leftovers(folder, kFolder);
    std::string name = (folder / (own_name(kFolder) + "XXXXXX")).string();
    if (!::mkdtemp(name.data())) throw SystemError("mkdtemp " + name, errno);
    path_ = name;
    try {
      lock_ = open_file(path_, O_RDONLY | O_DIRECTORY);
      mark_in_use(lock_.get());
      const fs::path hook = path_ / "sitecustomize.py";
      write_all(open_file(hook, O_WRONLY | O_CREAT).get(), live_hook(), hook.string());
      reports_ = open_file(events(), O_RDONLY | O_CREAT);
    } catch (...) {
      remove();
      throw;
    }
  }
  HookFolder(const HookFolder&) = delete;
  HookFolder& operator=(const HookFolder&) = delete;
  ~HookFolder() { remove(); }
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

  // What the hook has reported, also when the folder is gone; at most kMaxEventBytes of it.
  std::string reports() const {
    std::string text;
    std::array<char, 65536> bytes;
    for (ssize_t got = 1; got != 0 && text.size() < kMaxEventBytes;) {
      got = ::read(reports_.get(), bytes.data(), bytes.size());
      if (got < 0 && errno != EINTR) break;
      if (got > 0) text.append(bytes.data(), static_cast<std::size_t>(got));
    }
    return text;
  }

 private:
  void remove() noexcept {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  fs::path path_;
  UniqueFd lock_;
  UniqueFd reports_;
};

// What a command prints, line by line, as it may be shown: without secrets, and without what steers a
// terminal.
class ShownLines {
 public:
  // The lines that end in `text`. A progress bar, which goes back to the start of its line, ends one too.
  std::string take(std::string_view text) {
    std::string lines;
    for (const char c : text) {
      if (c == '\n' && std::exchange(returned_, false)) continue;  // of "\r\n"
      returned_ = c == '\r';
      if (c != '\n' && c != '\r') open_ += c;
      if (c == '\n' || c == '\r' || open_.size() == kLongest) lines += line();
    }
    return lines;
  }
  // What did not end.
  std::string rest() { return open_.empty() ? "" : line(); }

 private:
  std::string line() {
    Withheld counted_elsewhere;  // by the reader of the same lines
    const std::string masked = mask_text(plain_line(std::exchange(open_, "")), counted_elsewhere);
    std::string shown;
    for (const std::string& part : split(masked, '\t'))
      shown += (shown.empty() ? "" : "\t") + printable(part);
    return line_start(std::move(shown)) + '\n';
  }

  static constexpr std::size_t kLongest = std::size_t{64} << 10;  // bytes
  std::string open_;
  bool returned_ = false;
};

double wall_clock() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// The hook stands between the server's own frames; it is none of them.
void leave_out_hook(const std::string& folder, LogReport& log) {
  for (LoggedLaunch& launch : log.launches)
    for (LoggedTraceback& traceback : launch.tracebacks)
      for (TraceDeath& death : traceback.links)
        std::erase_if(death.frames, [&](const TraceFrame& frame) { return frame.file.starts_with(folder); });
}

// What the command prints, to stderr. The command goes on when nobody can see it.
class Shown {
 public:
  void operator()(std::string_view text) {
    if (!possible_) return;
    try {
      write_all(STDERR_FILENO, text, "stderr");
    } catch (const EnvironmentError&) {
      possible_ = false;
    }
  }

 private:
  bool possible_ = true;
};

}  // namespace

LiveRun run_live(const std::vector<std::string>& command, const std::vector<Signature>& signatures,
                 const std::vector<Milestone>& milestones, const std::function<bool()>& stop) {
  const HookFolder hook;
  const double start = wall_clock();
  LogReader reader(signatures, milestones);
  Shown shown;
  ShownLines lines;
  const Keep feed = Keep::hand_to([&](std::string_view text) {
    try {
      reader.feed(text);
    } catch (const UsageError&) {  // it begins with what is no text; what follows may be lines
    }
    shown(lines.take(text));
  });
  const Program program{.argv = command,
                        .environment = hook.environment(),
                        .pass_open_descriptors = true,
                        .guarded = true,
                        .scratch = hook.path()};
  const ChildResult child = run_to_end(
      program, {.input = Streams::Input::inherited, .together = true, .output = feed, .linger = kLinger},
      {.stop_requested = stop, .stop_signal = SIGINT, .grace = kGrace});
  if (child.end.kind == ProcessEnd::Kind::not_started)
    throw EnvironmentError(fmt::format("can't start {}: is it on PATH, and executable?", command.front()));
  shown(lines.rest());
  LiveRun run;
  run.end = child.end;
  run.interrupted = child.stop == ChildResult::Stop::interrupted;
  run.log = reader.finish();
  leave_out_hook(hook.path(), run.log);
  if (!run.interrupted && !run.end.ok()) {
    DeathNotice end;
    end.kind = DeathNotice::Kind::exit;
    end.text = "the command " + describe(run.end);
    end.line = 0;  // it stands in no line
    run.log.launches.back().notices.push_back(std::move(end));
  }
  run.events = parse_events(hook.reports(), start);
  return run;
}

}  // namespace ringside
