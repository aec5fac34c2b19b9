#include "served/log_text.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "base/text.hpp"
#include "served/log_json.hpp"
#include "served/log_line.hpp"

namespace ringside {

namespace {

constexpr int kMaxPrefixes = 12;
constexpr std::size_t kMaxName = 100;
constexpr std::array<std::string_view, 9> kLevels = {"INFO",  "WARNING",  "WARN",  "ERROR",    "DEBUG",
                                                     "TRACE", "CRITICAL", "FATAL", "EXCEPTION"};

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

void add_word(std::string& words, std::string_view word) {
  if (word.empty() || words.size() + word.size() > kMaxName) return;
  if (!words.empty()) words += ' ';
  words += word;
}

void add_rank(LogText& line, std::string_view name) {
  std::string apart(name);
  std::replace(apart.begin(), apart.end(), '_', ' ');
  const std::string words = rank_words(apart);
  if (!words.empty()) line.rank = words;
}

// "2026-03-02T10:00:00.123Z ", of a collector; behind it "stderr F " (CRI).
bool take_collected(TextScan& scan, LogText& line) {
  TextScan ahead = scan;
  const auto time = take_zoned(ahead);
  if (!time || !ahead.take(" ")) return false;
  line.collected = time;
  scan = ahead;
  if (!ahead.take("stdout ") && !ahead.take("stderr ")) return true;
  const bool part = ahead.front() == 'P';
  if (!part && ahead.front() != 'F') return true;
  ahead.while_true([](char c) { return c != ' '; });
  ahead.take(" ");
  line.unended = part;
  scan = ahead;
  return true;
}

// "Mar  2 10:00:00 host unit[pid]: ", and "host unit[pid]: " behind another moment.
bool take_journal(TextScan& scan, LogText& line) {
  TextScan ahead = scan;
  const auto time = take_syslog(ahead);
  if (time && !ahead.take(" ")) return false;
  if (!time && !line.collected) return false;
  const std::string_view host = ahead.while_true(TextScan::is_name);
  if (host.empty() || !ahead.take(" ")) return false;
  const std::string_view unit = ahead.while_true([](char c) { return TextScan::is_name(c) || c == '@'; });
  if (unit.empty() || host.size() + unit.size() > kMaxName) return false;
  std::optional<int> pid;
  if (ahead.take("[")) {
    pid = ahead.number(1, 8);
    if (!pid || !ahead.take("]")) return false;
  }
  if (!ahead.take(": ") || (!time && !pid)) return false;
  if (time) line.collected = time;
  if (unit != "kernel" && unit != "systemd") {
    line.source = std::string(unit);
    if (pid) line.pid = *pid;
  }
  line.head = unit == "kernel" || unit == "systemd";
  scan = ahead;
  return true;
}

// "server-1  | " of docker compose.
bool take_compose(TextScan& scan, LogText& line) {
  TextScan ahead = scan;
  const std::string_view name = ahead.while_true(TextScan::is_name);
  if (name.size() < 3 || name.size() > 40 || ahead.blanks() == 0 || !ahead.take("|")) return false;
  if (!ahead.at_end() && !ahead.take(" ")) return false;
  line.source = std::string(name);
  scan = ahead;
  return true;
}

// "[pod/name/container] " of kubectl logs --prefix.
bool take_pod(TextScan& scan, LogText& line) {
  TextScan ahead = scan;
  if (!ahead.take("[pod/")) return false;
  const std::string_view name = ahead.while_true([](char c) { return TextScan::is_name(c) || c == '/'; });
  if (name.empty() || !ahead.take("] ")) return false;
  line.source = std::string(name);
  scan = ahead;
  return true;
}

// "(Worker_TP1 pid=311) ", "(RayWorkerWrapper pid=2, ip=10.0.0.3) ", "(scheduler TP3) ".
bool take_name(TextScan& scan, LogText& line) {
  TextScan ahead = scan;
  if (!ahead.take("(")) return false;
  const std::string_view inside = ahead.while_true([](char c) { return c != ')' && c != '('; });
  if (inside.empty() || inside.size() > 80 || !ahead.take(")")) return false;
  if (!ahead.at_end() && !ahead.take(" ")) return false;
  const std::size_t pid = inside.find("pid=");
  const std::string_view name = trim(inside.substr(0, pid));
  if (pid == std::string_view::npos && rank_words(name).empty() && !name.starts_with("raylet")) return false;
  if (pid != std::string_view::npos) line.pid = std::atoi(std::string(inside.substr(pid + 4, 9)).c_str());
  add_word(line.process, name);
  add_rank(line, name);
  if (const std::size_t ip = inside.find("ip="); ip != std::string_view::npos)
    add_word(line.process, trim(inside.substr(ip)));
  scan = ahead;
  return true;
}

// "[rank3]: ", "[default3]:" (torchrun), "[1,3]<stderr>:" (mpirun), "3: " (srun --label).
bool take_label(TextScan& scan, LogText& line) {
  TextScan ahead = scan;
  std::optional<int> rank;
  if (ahead.take("[rank") || ahead.take("[default")) {
    rank = ahead.number(1, 5);
    if (!rank || !ahead.take("]:")) return false;
  } else if (ahead.take("[")) {
    const auto job = ahead.number(1, 6);
    if (!job || !ahead.take(",")) return false;
    rank = ahead.number(1, 6);
    if (!rank || !ahead.take("]<") || (!ahead.take("stderr>:") && !ahead.take("stdout>:"))) return false;
  } else {
    ahead.blanks();
    rank = ahead.number(1, 5);
    if (!rank || !ahead.take(":") || ahead.front() != ' ') return false;
    if (!line.process.empty() || !line.rank.empty()) return false;
  }
  ahead.take(" ");
  line.label = line.rank = "rank" + std::to_string(*rank);
  scan = ahead;
  return true;
}

// "ERROR 05-02 03:00:40 [core.py:708] " of vLLM, which stands before each line of a message.
bool take_vllm_head(TextScan& scan, LogText& line) {
  TextScan ahead = scan;
  for (const std::string_view level : kLevels) {
    if (!ahead.take(level)) continue;
    if (!ahead.take(" ")) return false;
    const auto time = take_yearless(ahead);
    if (!time || !ahead.take(" [")) return false;
    const std::string_view place = ahead.while_true([](char c) { return c != ']' && c != ' '; });
    if (!ahead.take("]") || place.empty() || place.size() > kMaxName) return false;
    ahead.take(" ");
    line.time = time;
    line.level = std::string(level);
    line.place = std::string(place);
    scan = ahead;
    return true;
  }
  return false;
}

// "[2026-03-02 10:00:00 TP0 EP0] ", "[03/02/2026-10:00:00] ", "[TRT-LLM] ", "[RANK 3] ", "[E] ".
bool take_bracket(TextScan& scan, LogText& line) {
  TextScan ahead = scan;
  if (!ahead.take("[")) return false;
  const std::string_view inside = ahead.while_true([](char c) { return c != ']' && c != '['; });
  if (inside.empty() || inside.size() > kMaxName || !ahead.take("]")) return false;
  if (!ahead.at_end() && ahead.front() != '[' && !ahead.take(" ")) return false;
  TextScan in(inside);
  std::optional<LogTime> time = take_dated(in);
  if (!time) time = take_american(in);
  if (!time) time = take_yearless(in);
  const bool known = inside.starts_with("TRT-LLM") || inside.starts_with("TensorRT-LLM");
  const bool level = inside.size() == 1 && is_upper(inside[0]) && line.head;
  const bool level_word = std::find(kLevels.begin(), kLevels.end(), inside) != kLevels.end() && line.head;
  std::string rank;
  if (inside.starts_with("RANK "))
    rank = rank_words("rank " + std::string(inside.substr(5)));
  else
    rank = rank_words(inside);
  if (!time && !known && !level && !level_word && rank.empty()) return false;
  if (time) line.time = time;
  if (level || level_word) line.level = std::string(inside);
  if (!rank.empty()) line.rank = rank;
  line.head = true;
  scan = ahead;
  return true;
}

// "INFO:     " of uvicorn; "2026-03-08 16:44:29,692 - INFO - " of Python's logging; "E0302 10:00:00.1 77
// file.py:7] " of glog; "[W302 10:00:00.1 file.cpp:117] " of torch.
bool take_logger(TextScan& scan, LogText& line) {
  TextScan ahead = scan;
  for (const std::string_view level : kLevels)
    if (ahead.take(level) && ahead.take(":") && (ahead.blanks() > 0 || ahead.at_end())) {
      line.level = std::string(level);
      line.head = true;
      scan = ahead;
      return true;
    } else {
      ahead = scan;
    }
  if (const auto time = take_dated(ahead)) {
    ahead.take(" ");
    ahead.take("- ");
    line.time = time;
    line.head = true;
    for (const std::string_view level : kLevels)
      if (ahead.take(level)) {
        line.level = std::string(level);
        ahead.take(" ");
        ahead.take("- ");
        break;
      }
    scan = ahead;
    return true;
  }
  const bool bracket = ahead.take("[");
  const char letter = ahead.front();
  if (letter != 'E' && letter != 'W' && letter != 'I' && letter != 'F') return false;
  ahead.take(std::string_view(&letter, 1));
  const auto date = ahead.number(3, 4);
  if (!date || !ahead.take(" ") || !ahead.number(2, 2) || !ahead.take(":")) return false;
  const std::string_view until = ahead.while_true([](char c) { return c != ']'; });
  if (until.size() > kMaxName || !ahead.take("]")) return false;
  ahead.take(" ");
  line.level = bracket || letter != 'F' ? std::string(1, letter) : "FATAL";
  line.head = true;
  scan = ahead;
  return true;
}

// "host:4711:4800 [3] NCCL WARN ": a record of NCCL's. It stays in the text.
void note_nccl(std::string_view text, LogText& line) {
  TextScan scan(text);
  if (scan.while_true(TextScan::is_name).empty() || !scan.take(":")) return;
  const auto pid = scan.number(1, 8);
  if (!pid || !scan.take(":") || !scan.number(1, 8) || !scan.take(" [")) return;
  line.head = true;
  if (line.pid < 0) line.pid = *pid;
}

// Ray shows a line once that many actors wrote: "... [repeated 7x across cluster]".
std::string_view without_repeats(std::string_view text) {
  if (!text.ends_with(" across cluster]")) return text;
  return text.substr(0, text.rfind(" [repeated "));
}

}  // namespace

std::string LogText::writer() const {
  return source + '\n' + process + '\n' + (pid < 0 ? "" : std::to_string(pid)) + '\n' + label;
}

LogText read_plain_prefixes(std::string_view line) {
  LogText read;
  TextScan scan(line);
  for (int i = 0; i < kMaxPrefixes; ++i) {
    const bool found = take_collected(scan, read) || take_journal(scan, read) || take_compose(scan, read) ||
                       take_pod(scan, read) || take_name(scan, read) || take_vllm_head(scan, read) ||
                       take_label(scan, read) || take_bracket(scan, read) || take_logger(scan, read);
    if (!found) break;
  }
  note_nccl(scan.rest(), read);
  read.text = std::string(without_repeats(scan.rest()));
  return read;
}

std::vector<LogText> read_prefixes(std::string_view line) {
  if (!line.starts_with('{')) return {read_plain_prefixes(line)};
  std::optional<JsonLine> json = read_json_line(line);
  if (!json) return {read_plain_prefixes(line)};
  std::vector<LogText> lines;
  for (const std::string& part : split(json->text, '\n')) {
    LogText read = read_plain_prefixes(plain_line(part));
    if (!json->source.empty()) read.source = json->source;
    if (json->pid >= 0 && read.pid < 0) read.pid = json->pid;
    if (!json->level.empty() && read.level.empty()) read.level = json->level;
    if (json->time && !read.collected) read.collected = json->time;
    read.unended = read.unended || json->unended;
    lines.push_back(std::move(read));
  }
  return lines;
}

}  // namespace ringside
