#include "trace/core/launch_reader.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "served/log_line.hpp"
#include "trace/core/python_repr.hpp"

namespace ringside {

namespace {

constexpr std::size_t kMaxNotices = 24, kMaxMilestones = 64, kMaxWho = 512, kMaxPids = 4096;
constexpr std::size_t kMaxRefusal = 2000;
constexpr std::size_t kLinesBefore = 4;
constexpr double kSoon =
    60;  // seconds between two launches, of which the first can't have failed without a word
constexpr long kNear = 6;  // lines between a death and its code

constexpr std::string_view kServerArgs = "server_args=ServerArgs(";

// How argparse begins what it says before it ends the server.
constexpr std::array<std::string_view, 9> kRefusals = {
    "launch_server.py: error: ", "sglang.launch_server: error: ", "sglang: error: ", "sglang serve: error: ",
    "api_server.py: error: ",    "vllm serve: error: ",           "vllm: error: ",   "trtllm-serve: error: ",
    "Error: No such option: --"};

struct Start {
  std::string_view text;
  LaunchStart kind;
};
constexpr std::array<Start, 8> kStarts = {{
    {kServerArgs, LaunchStart::arguments},
    {"non-default args: ", LaunchStart::arguments},
    {"vLLM API server version ", LaunchStart::banner},
    {"vLLM server version ", LaunchStart::banner},
    {"sglang.launch_server --", LaunchStart::command},
    {"sglang serve -", LaunchStart::command},
    {"vllm serve ", LaunchStart::command},
    {"trtllm-serve ", LaunchStart::command},
}};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// A command as `set -x` or an entry point shows it, not one that a sentence quotes.
bool is_command(std::string_view text, std::size_t at) {
  std::string_view before = trim(text.substr(0, at));
  if (before.empty() || before == "exec") return true;
  if (before[0] == '+' || before[0] == '$') return true;
  return before.ends_with("-m") && contains(before, "python") && !contains(before, ": ");
}

std::string who_of(const LogText& line) {
  return line.rank + "/" + line.process + "/" + (line.pid < 0 ? "" : std::to_string(line.pid));
}

std::string text_value(const Value& value) {
  if (const auto* whole = value.as<std::int64_t>()) return std::to_string(*whole);
  if (const auto* text = value.as<std::string>()) return *text;
  return "";
}

}  // namespace

std::vector<std::string> start_texts() {
  std::vector<std::string> texts;
  for (const Start& start : kStarts) texts.emplace_back(start.text);
  for (const std::string_view refusal : kRefusals) texts.emplace_back(refusal);
  return texts;
}

LaunchStart start_of(std::string_view text) {
  for (const Start& start : kStarts) {
    const std::size_t at = text.find(start.text);
    if (at == std::string_view::npos) continue;
    if (start.kind == LaunchStart::command && !is_command(text, at)) continue;
    return start.kind;
  }
  return LaunchStart::none;
}

bool LaunchReader::ended() const {
  return tracebacks_.fatal_after(launch_.ready_at) ||
         std::any_of(launch_.notices.begin(), launch_.notices.end(), [](const DeathNotice& notice) {
           return notice.kind != DeathNotice::Kind::words && notice.kind != DeathNotice::Kind::hang;
         });
}

void LaunchReader::runs_beside(const LaunchReader& before) {
  const auto differ = [](const std::string& a, const std::string& b) {
    return !a.empty() && !b.empty() && a != b;
  };
  if (before.ended() || before.parent_pid != parent_pid) return;
  std::optional<double> gap;
  for (const LogTime& moment : launch_.began)
    if (!gap) gap = before.launch_.seconds_to(moment);
  const bool soon = gap && *gap < kSoon;
  if ((differ(before.port, port) && (soon || before.launch_.ready_at > 0)) ||
      (differ(before.model, model) && soon))
    launch_.mixed = true;
}

const Milestone* LaunchReader::milestone_in(std::string_view text) const {
  const auto reached = [&](const std::string& step) {
    return std::any_of(launch_.milestones.begin(), launch_.milestones.end(),
                       [&](const ReachedMilestone& r) { return r.milestone->step == step; });
  };
  const Milestone* found = nullptr;
  for (const Milestone& milestone : *milestones_) {
    if (!contains(text, milestone.text)) continue;
    if (!milestone.after.empty() && reached(milestone.after)) return &milestone;
    if (milestone.after.empty() && !found) found = &milestone;
  }
  return found;
}

bool LaunchReader::begins_again(const LogText& line) const {
  const Milestone* milestone = milestone_in(line.text);
  if (!milestone || launch_.mixed || !ended()) return false;
  if (milestone->comes_up) return true;
  const std::string who = who_of(line);
  return std::any_of(launch_.milestones.begin(), launch_.milestones.end(),
                     [&](const ReachedMilestone& reached) {
                       return reached.milestone == milestone &&
                              std::find(reached.who.begin(), reached.who.end(), who) != reached.who.end();
                     });
}

void LaunchReader::start(LaunchStart kind, const LogText& line, long number) {
  if (!launch_.begins && launch_.tracebacks.empty() && launch_.milestones.empty() &&
      launch_.notices.empty() && !tracebacks_.busy())
    launch_.first_line = number;
  launch_.begins = true;
  starts_.insert(kind);
  if (line.pid >= 0 && process_of(line).role >= ProcessRole::api_server) parent_pid = line.pid;
}

void LaunchReader::feed(const LogText& line, long number, const TracebackReader::LinesBefore& before) {
  if (launch_.first_line == 0) launch_.first_line = number;
  launch_.last_line = number;
  for (const auto& moment : {line.time, line.collected})
    if (moment && std::none_of(launch_.began.begin(), launch_.began.end(),
                               [&](const LogTime& known) { return known.form == moment->form; }))
      launch_.began.push_back(*moment);
  if (line.pid >= 0 && pids.size() < kMaxPids) pids.insert(line.pid);
  if (line.pid >= 0 && !line.label.empty() && rank_of_pid_.size() < kMaxPids)
    rank_of_pid_[line.pid] = line.label;
  // A step of the start is a record of its own, whatever stands before it.
  LogText record = line;
  record.head = record.head || milestone_in(line.text) || start_of(line.text) != LaunchStart::none;
  const bool taken = tracebacks_.feed(record, number, before);
  const std::string& text = line.text;
  for (const Signature& signature : *signatures_)
    if (!signature.match.lines.empty() && signature.matches_line(text))
      launch_.warnings.emplace(signature.id, printable(text));
  if (taken) return;
  std::optional<LibraryRemark> remark = read_remark(line, number, *signatures_);
  if (remark && remark->is_end)
    launch_.notices.push_back(
        {DeathNotice::Kind::words, remark->text, number, process_of(line), {}, line.moment(), {}});
  keep_remark(std::move(remark), launch_.remarks);
  for (const std::string_view refusal : kRefusals) {
    const std::size_t at = text.find(refusal);
    if (at == std::string::npos) continue;
    LoggedTraceback death;
    death.links.front().error = "SystemExit";
    death.links.front().message = printable(std::string_view(text).substr(at + refusal.size(), kMaxRefusal));
    death.process.role = ProcessRole::launcher;
    death.fatal = true;
    death.first_line = death.line = death.last_line = number;
    death.time = line.moment();
    tracebacks_.add(std::move(death));
    return;
  }
  if (const Milestone* milestone = milestone_in(text)) reach(*milestone, line, number);
  if (const std::size_t at = text.find(kServerArgs); at != std::string::npos && launch_.server_args.empty())
    read_arguments(std::string_view(text).substr(at + kServerArgs.size()));
  notice(line, number, before);
}

void LaunchReader::reach(const Milestone& milestone, const LogText& line, long number) {
  if (milestone.comes_up) {
    launch_.ready_at = number;
    launch_.notices.clear();
    launch_.remarks.clear();
  }
  auto found = std::find_if(launch_.milestones.begin(), launch_.milestones.end(),
                            [&](const ReachedMilestone& reached) { return reached.milestone == &milestone; });
  if (found == launch_.milestones.end()) {
    if (launch_.milestones.size() >= kMaxMilestones) return;
    found = launch_.milestones.insert(found, {&milestone, number, {}, {}});
  }
  if (found->who.size() >= kMaxWho) return;
  std::string who = who_of(line);
  if (std::find(found->who.begin(), found->who.end(), who) == found->who.end())
    found->who.push_back(std::move(who));
  const int rank = process_of(line).rank_number();
  if (rank >= 0 && std::find(found->ranks.begin(), found->ranks.end(), rank) == found->ranks.end())
    found->ranks.push_back(rank);
  if (const std::size_t type = line.text.find("type=");
      type != std::string::npos && launch_.model_class.empty())
    launch_.model_class = line.text.substr(type + 5, line.text.find_first_of(", ", type) - type - 5);
}

void LaunchReader::read_arguments(std::string_view text) {
  launch_.server_args = parse_keywords(text);
  const auto value = [&](const char* name) {
    const auto found = launch_.server_args.find(name);
    return found == launch_.server_args.end() ? std::string() : text_value(found->second);
  };
  port = value("port");
  model = value("model_path");
  if (const std::string count = value("nnodes"); !count.empty() && count != "1")
    nodes = count + " " + value("dist_init_addr");
}

void LaunchReader::notice(const LogText& line, long number, const TracebackReader::LinesBefore& before) {
  std::optional<DeathNotice> notice = read_notice(line, number);
  if (!notice || launch_.notices.size() >= kMaxNotices) return;
  using Kind = DeathNotice::Kind;
  if (!launch_.notices.empty()) {
    DeathNotice& last = launch_.notices.back();
    // "Rank 2 scheduler is dead", then "Exit code: 1".
    if (notice->kind == Kind::exit && last.kind == Kind::exit && !last.code && notice->process.rank.empty() &&
        number - last.line <= kNear) {
      last.code = notice->code;
      last.text += "; " + notice->text;
      last.line = number;
      return;
    }
    // "terminate called ...", then "what():  ...".
    if (notice->kind == Kind::words && last.kind == Kind::words && number - last.line <= 2) {
      last.text += "; " + notice->text;
      if (last.text.starts_with("terminate called")) last.line = number;
      return;
    }
  }
  if (notice->kind == Kind::exit) notice->before = before(kLinesBefore);
  launch_.notices.push_back(std::move(*notice));
}

LoggedLaunch LaunchReader::finish() {
  launch_.tracebacks = tracebacks_.take();
  for (LoggedTraceback& traceback : launch_.tracebacks) {
    const auto known = rank_of_pid_.find(traceback.process.pid);
    if (!traceback.process.rank.empty() || known == rank_of_pid_.end()) continue;
    traceback.process.rank = known->second;
    if (const int rank = traceback.process.rank_number(); rank >= 0) traceback.ranks.push_back(rank);
  }
  return std::move(launch_);
}

}  // namespace ringside
