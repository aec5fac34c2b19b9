#include "trace/sglang/live_run.hpp"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/input_file.hpp"
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
  for (LoggedTraceback& traceback : log.tracebacks)
    std::erase_if(traceback.death.frames,
                  [&](const TraceFrame& frame) { return frame.file.starts_with(folder); });
}

}  // namespace

LiveRun run_live(const std::vector<std::string>& command, const std::vector<Signature>& signatures,
                 const std::vector<Milestone>& milestones, const std::function<bool()>& stop) {
  const HookFolder hook;
  const double start = wall_clock();
  LogReader reader(signatures, milestones);
  ShownLines shown;
  const Keep feed = Keep::hand_to([&](std::string_view text) {
    reader.feed(text);
    write_all(STDERR_FILENO, shown.take(text), "stderr");
  });
  const ChildResult child =
      run_to_end({.argv = command, .environment = hook.environment(), .pass_open_descriptors = true},
                 {.input = Streams::Input::inherited, .together = true, .output = feed, .linger = kLinger},
                 {.stop_requested = stop, .stop_signal = SIGINT, .grace = kGrace});
  if (child.end.kind == ProcessEnd::Kind::not_started)
    throw EnvironmentError(fmt::format("can't start {}: is it on PATH, and executable?", command.front()));
  write_all(STDERR_FILENO, shown.rest(), "stderr");
  LiveRun run;
  run.end = child.end;
  run.interrupted = child.stop == ChildResult::Stop::interrupted;
  run.log = reader.finish();
  leave_out_hook(hook.path(), run.log);
  run.events = parse_events(read_text_file(hook.events(), kMaxEventBytes), start);
  return run;
}

}  // namespace ringside
