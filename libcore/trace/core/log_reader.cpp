#include "trace/core/log_reader.hpp"

#include <algorithm>
#include <cstring>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "trace/core/python_repr.hpp"

namespace ringside {

namespace {

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
    : signatures_(signatures), milestones_(milestones), stream_(all_texts(signatures, milestones), *this) {}

void LogReader::take(const LogLine& line) {
  tracebacks_.feed(line.text, line.number);
  interesting(line);
}

void LogReader::interesting(const LogLine& line) {
  const std::string& text = line.text;
  for (const Milestone& milestone : milestones_) {
    if (!contains(text, milestone.text)) continue;
    if (milestone.comes_up) {
      report_.ready_at = line.number;
      report_.signs.clear();
    }
    auto found =
        std::find_if(report_.milestones.begin(), report_.milestones.end(),
                     [&](const ReachedMilestone& reached) { return reached.milestone == &milestone; });
    if (found == report_.milestones.end())
      found = report_.milestones.insert(found, {&milestone, line.number, {}});
    const int rank = rank_number(line.rank_before(text.find(milestone.text)));
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
    death.line = line.number;
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
  stream_.finish();
  tracebacks_.finish();
  report_.tracebacks = tracebacks_.take();
  report_.lines = stream_.lines();
  report_.withheld = stream_.withheld();
  report_.last_lines = stream_.last_lines();
  return std::move(report_);
}

LogReport read_log(const std::string& path, const std::vector<Signature>& signatures,
                   const std::vector<Milestone>& milestones) {
  LogReader reader(signatures, milestones);
  read_log_file(path, reader.stream());
  return reader.finish();
}

}  // namespace ringside
