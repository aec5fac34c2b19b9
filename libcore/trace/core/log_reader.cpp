#include "trace/core/log_reader.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "served/log_file.hpp"
#include "trace/core/launch_order.hpp"
#include "trace/core/traceback_lines.hpp"

namespace ringside {

namespace {

constexpr long kFirstLines = 20;  // that are read whatever they hold, for the moment of the start
constexpr std::size_t kMaxSources = 32, kMaxLaunches = 64, kMaxParts = 32;
constexpr std::size_t kMaxJoined = std::size_t{64} << 10;

std::vector<std::string> all_texts(const std::vector<Signature>& signatures,
                                   const std::vector<Milestone>& milestones) {
  std::vector<std::string> texts = notice_texts();
  for (const std::string& text : start_texts()) texts.push_back(text);
  texts.emplace_back(kTracebackHead);
  texts.emplace_back("\", line ");  // of a frame
  for (const Signature& signature : signatures)
    texts.insert(texts.end(), signature.match.lines.begin(), signature.match.lines.end());
  for (std::string& text : remark_texts(signatures)) texts.push_back(std::move(text));
  for (const Milestone& milestone : milestones) texts.push_back(milestone.text);
  return texts;
}

}  // namespace

LogReader::LogReader(const std::vector<Signature>& signatures, const std::vector<Milestone>& milestones)
    : signatures_(signatures), milestones_(milestones), stream_(all_texts(signatures, milestones), *this) {}

bool LogReader::takes_any() const {
  if (stream_.lines() < kFirstLines || !parts_.empty()) return true;
  return std::any_of(launches_.begin(), launches_.end(), [](const auto& source) {
    return std::any_of(source.second.begin(), source.second.end(),
                       [](const LaunchReader& launch) { return launch.busy(); });
  });
}

void LogReader::take(const LogLine& line) {
  for (LogText& text : read_prefixes(line.text))
    if (join_parts(text)) take_text(std::move(text), line.number);
}

// Whether the line is whole: alone, or with the parts before it.
bool LogReader::join_parts(LogText& line) {
  const std::string writer = line.source + '\n' + line.process;
  const auto waiting =
      std::find_if(parts_.begin(), parts_.end(), [&](const Part& part) { return part.writer == writer; });
  if (waiting != parts_.end()) {
    waiting->line.text += line.text.substr(0, kMaxJoined - std::min(kMaxJoined, waiting->line.text.size()));
    if (line.unended) return false;
    line = std::move(waiting->line);
    line.unended = false;
    parts_.erase(waiting);
    return true;
  }
  if (!line.unended) return true;
  if (parts_.size() >= kMaxParts) parts_.erase(parts_.begin());
  parts_.push_back({writer, line});
  return false;
}

void LogReader::take_text(LogText line, long number) {
  // A traceback whose ends of lines a logger wrote as "\n".
  if (const std::size_t at = line.text.find(kTracebackHead);
      at != std::string::npos && line.text.compare(at + kTracebackHead.size(), 3, ":\\n") == 0) {
    std::string rest = std::exchange(line.text, "");
    for (std::size_t end; !rest.empty(); rest.erase(0, end == std::string::npos ? rest.size() : end + 2)) {
      end = rest.find("\\n");
      LogText part = line;
      part.text = rest.substr(0, end);
      take_text(std::move(part), number);
      line.head = false;
    }
    return;
  }
  LaunchReader& launch = launch_for(line, number);
  const bool starts = launch.launch().first_line == 0 || start_of(line.text) == LaunchStart::arguments;
  launch.feed(line, number, [this](std::size_t count) { return stream_.lines_before(count); });
  if (!starts) return;
  for (const auto& [source, launches] : launches_)
    if (launches.size() > 1 && &launches.back() == &launch) launch.runs_beside(launches[launches.size() - 2]);
}

LaunchReader& LogReader::new_launch(const std::string& source) {
  auto& launches = launches_[source];
  if (launches.size() >= kMaxLaunches) {
    launches.pop_front();
    ++left_out_;
  }
  return launches.emplace_back(signatures_, milestones_);
}

// The launch that knows this process; else, of those whose API server is older, the newest; else the last.
LaunchReader& LogReader::known_by_pid(std::deque<LaunchReader>& launches, int pid, bool parent) {
  LaunchReader* best = nullptr;
  std::set<int> later;  // API servers: an earlier launch of the same pid has ended
  for (std::size_t i = launches.size(); i-- > 0;) {
    LaunchReader& launch = launches[i];
    if (launch.parent_pid < 0 || !later.insert(launch.parent_pid).second) continue;
    if (launch.pids.contains(pid)) return launch;
    if (!parent && launch.parent_pid < pid && (!best || launch.parent_pid > best->parent_pid)) best = &launch;
  }
  return best ? *best : launches.back();
}

// The launch that a line belongs to; a new one where the line begins it.
LaunchReader& LogReader::launch_for(const LogText& line, long number) {
  std::string source = line.source;
  if (!launches_.contains(source) && launches_.size() >= kMaxSources) source = launches_.begin()->first;
  auto& launches = launches_[source];
  const LaunchStart start = start_of(line.text);
  if (launches.empty()) {
    LaunchReader& first = new_launch(source);
    if (start != LaunchStart::none) first.start(start, line, number);
    return first;
  }
  LaunchReader* current = &launches.back();
  const bool parent = line.pid >= 0 && process_of(line).role == ProcessRole::api_server &&
                      !line.process.starts_with("ApiServer_");
  if (line.pid >= 0 && launches.size() > 1) current = &known_by_pid(launches, line.pid, parent);
  if (start == LaunchStart::none) {
    if (!current->begins_again(line)) return *current;
    LaunchReader& again = new_launch(source);
    return again;
  }
  const bool other_parent = parent && current->parent_pid >= 0 && current->parent_pid != line.pid;
  if (current->started_by(start) || other_parent || current->ended()) {
    LaunchReader& next = new_launch(source);
    next.start(start, line, number);
    return next;
  }
  current->start(start, line, number);
  return *current;
}

LogReport LogReader::finish() {
  stream_.finish();
  for (Part& part : std::exchange(parts_, {})) take_text(std::move(part.line), stream_.lines());
  LogReport report;
  report.launches = in_order(launches_);
  report.left_out = left_out_;
  report.lines = stream_.lines();
  report.withheld = stream_.withheld();
  report.last_lines = stream_.last_lines();
  report.notes = stream_.notes();
  return report;
}

LogReport read_log(const std::string& path, const std::vector<Signature>& signatures,
                   const std::vector<Milestone>& milestones) {
  LogReader reader(signatures, milestones);
  std::vector<std::string> notes = read_log_file(path, reader.stream());
  LogReport report = reader.finish();
  report.notes.insert(report.notes.end(), notes.begin(), notes.end());
  return report;
}

}  // namespace ringside
