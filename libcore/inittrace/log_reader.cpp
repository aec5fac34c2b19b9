#include "inittrace/log_reader.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/fd.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "inittrace/python_repr.hpp"
#include "served/log_line.hpp"

namespace ringside {

namespace {

constexpr std::size_t kMaxLine = std::size_t{64} << 10;
constexpr std::size_t kChunk = std::size_t{1} << 20;
constexpr std::size_t kLastLines = 8;
constexpr std::size_t kMaxSigns = 16;
constexpr std::size_t kMaxRefusal = 2000;

constexpr const char* kKilled = "Killed";
// Ends that leave no traceback.
const std::vector<std::string> kSigns = {"Segmentation fault",
                                         "Fatal Python error",
                                         "core dumped",
                                         "terminate called after",
                                         kKilled,
                                         "exit code: -",
                                         "Exit code: -",
                                         "Received sigquit from a child process",
                                         "scheduler is dead"};
constexpr const char* kServerArgs = "server_args=ServerArgs(";
// How argparse begins what it says before it ends the server.
const std::vector<std::string> kRefusals = {
    "launch_server.py: error: ", "sglang.launch_server: error: ", "sglang: error: ", "sglang serve: error: "};
constexpr const char* kTraceback = "Traceback (most recent call last)";
constexpr const char* kFrame = "File \"";

std::vector<std::string> all_texts(const std::vector<Signature>& signatures,
                                   const std::vector<Milestone>& milestones) {
  std::vector<std::string> texts = kSigns;
  texts.insert(texts.end(), kRefusals.begin(), kRefusals.end());
  texts.emplace_back(kServerArgs);
  texts.emplace_back(kTraceback);
  texts.emplace_back(kFrame);
  for (const Signature& signature : signatures)
    texts.insert(texts.end(), signature.match.lines.begin(), signature.match.lines.end());
  for (const Milestone& milestone : milestones) texts.push_back(milestone.text);
  return texts;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// A shell says "Killed" alone, or "launch.sh: line 7: 4711 Killed"; elsewhere the word means nothing.
bool is_sign(std::string_view text, std::string_view sign) {
  if (!contains(text, sign)) return false;
  return sign != kKilled || trim(text) == kKilled || contains(text, ": line ");
}

}  // namespace

LogReader::LogReader(const std::vector<Signature>& signatures, const std::vector<Milestone>& milestones)
    : signatures_(signatures), milestones_(milestones), search_(all_texts(signatures, milestones)) {}

void LogReader::feed(std::string_view bytes) {
  if (!checked_) {
    checked_ = true;
    if (bytes.substr(0, 4096).find('\0') != std::string_view::npos)
      throw UsageError("it is no text: a binary or compressed file");
  }
  // What is left of the last chunk is completed first, then whole lines are read where they are.
  if (!partial_.empty()) {
    const std::size_t end = bytes.find('\n');
    partial_.append(bytes.substr(0, std::min(end, kMaxLine - std::min(kMaxLine, partial_.size()))));
    if (end == std::string_view::npos) return;
    const std::string whole = std::exchange(partial_, "");
    line(whole);
    keep_last(whole);
    bytes.remove_prefix(end + 1);
  }
  const std::size_t last = bytes.rfind('\n');
  lines_of(bytes.substr(0, last == std::string_view::npos ? 0 : last + 1));
  const std::string_view rest = bytes.substr(last == std::string_view::npos ? 0 : last + 1);
  partial_ = rest.substr(0, kMaxLine);
}

// Most of a log is of no interest: its lines are only counted.
void LogReader::lines_of(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (!tracebacks_.busy()) {
      const std::size_t hit = search_.find(text, at);
      // rfind gives npos where the hit is in the first line: npos + 1 is 0.
      const std::size_t boring_end = hit == std::string_view::npos ? text.size() : text.rfind('\n', hit) + 1;
      if (boring_end > at) {
        report_.lines += std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                                    text.begin() + static_cast<std::ptrdiff_t>(boring_end), '\n');
        at = boring_end;
      }
      if (hit == std::string_view::npos) break;
    }
    const std::size_t end = text.find('\n', at);
    line(text.substr(at, end - at));
    at = end + 1;
  }
  // The last lines of the chunk, for an end that nothing explains.
  std::size_t from = text.size();
  for (std::size_t i = 0; i < kLastLines && from > 0; ++i)
    from = from < 2 ? 0 : text.rfind('\n', from - 2) + 1;
  while (from < text.size()) {
    const std::size_t end = text.find('\n', from);
    keep_last(text.substr(from, end - from));
    from = end + 1;
  }
}

void LogReader::keep_last(std::string_view raw) {
  const std::string text = printable(plain_line(raw.substr(0, 300)));
  if (text.empty()) return;
  report_.last_lines.push_back(text);
  if (report_.last_lines.size() > kLastLines) report_.last_lines.erase(report_.last_lines.begin());
}

void LogReader::line(std::string_view raw) {
  ++report_.lines;
  const std::string text = plain_line(raw.substr(0, kMaxLine));
  tracebacks_.feed(text, report_.lines);
  interesting(text);
}

void LogReader::interesting(const std::string& text) {
  for (const Milestone& milestone : milestones_) {
    if (!contains(text, milestone.text)) continue;
    if (milestone.comes_up) {
      report_.ready_at = report_.lines;
      report_.signs.clear();
    }
    auto found =
        std::find_if(report_.milestones.begin(), report_.milestones.end(),
                     [&](const ReachedMilestone& reached) { return reached.milestone == &milestone; });
    if (found == report_.milestones.end())
      found = report_.milestones.insert(found, {&milestone, report_.lines, {}});
    const int rank = rank_number(rank_words(std::string_view(text).substr(0, text.find(milestone.text))));
    if (rank >= 0 && std::find(found->ranks.begin(), found->ranks.end(), rank) == found->ranks.end())
      found->ranks.push_back(rank);
    if (const std::size_t type = text.find("type="); type != std::string::npos && report_.model_class.empty())
      report_.model_class = text.substr(type + 5, text.find_first_of(", ", type) - type - 5);
  }
  for (const Signature& signature : signatures_)
    if (!signature.match.lines.empty() && signature.matches_line(text))
      report_.warnings.emplace(signature.id, printable(text));
  for (const std::string& refusal : kRefusals) {
    const std::size_t at = text.find(refusal);
    if (at == std::string::npos) continue;
    LoggedTraceback death;
    death.death.error = "SystemExit";
    death.death.message = printable(text.substr(at + refusal.size(), kMaxRefusal));
    death.fatal = true;
    death.line = report_.lines;
    tracebacks_.add(std::move(death));
    break;
  }
  for (const std::string& sign : kSigns)
    if (is_sign(text, sign) && report_.signs.size() < kMaxSigns)
      report_.signs.push_back(printable(text.substr(0, 300)));
  if (const std::size_t at = text.find(kServerArgs); at != std::string::npos && report_.server_args.empty())
    report_.server_args = parse_keywords(std::string_view(text).substr(at + std::strlen(kServerArgs)));
}

LogReport LogReader::finish() {
  if (!partial_.empty()) {
    const std::string last = std::exchange(partial_, "");
    line(last);
    keep_last(last);
  }
  tracebacks_.finish();
  report_.tracebacks = tracebacks_.take();
  return std::move(report_);
}

LogReport read_log(const std::string& path, const std::vector<Signature>& signatures,
                   const std::vector<Milestone>& milestones) {
  UniqueFd file;
  if (path != "-") {
    file = UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    struct stat info {};
    if (!file) throw UsageError(fmt::format("can't read the log {}: {}", path, std::strerror(errno)));
    if (::fstat(file.get(), &info) == 0 && S_ISDIR(info.st_mode))
      throw UsageError(fmt::format("the log {} is a directory", path));
  }
  const int fd = path == "-" ? STDIN_FILENO : file.get();
  LogReader reader(signatures, milestones);
  std::string chunk(kChunk, '\0');
  while (true) {
    const ssize_t got = ::read(fd, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw UsageError(fmt::format("can't read the log {}: {}", path, std::strerror(errno)));
    if (got == 0) break;
    try {
      reader.feed(std::string_view(chunk.data(), static_cast<std::size_t>(got)));
    } catch (const UsageError& problem) {
      throw UsageError(fmt::format("can't read the log {}: {}", path, problem.what()));
    }
  }
  return reader.finish();
}

}  // namespace ringside
