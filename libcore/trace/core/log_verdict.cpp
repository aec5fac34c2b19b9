#include "trace/core/log_verdict.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "trace/core/explain.hpp"
#include "trace/core/rank_list.hpp"

namespace ringside {

namespace {

constexpr std::size_t kShownMessage = 300, kMaxFollowUps = 8;

std::string file_name(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos || slash + 1 == path.size() ? path : path.substr(slash + 1);
}

std::string sorted_ranks(std::vector<int> ranks) {
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return format_ranks(ranks);
}

// Of all that ended in the same way.
std::string ranks_of(const LoggedLaunch& launch, const TraceDeath& death) {
  std::vector<int> ranks;
  for (const LoggedTraceback& other : launch.tracebacks)
    for (const TraceDeath& link : other.links) {
      const bool same = link.error == death.error && link.frames.empty() == death.frames.empty() &&
                        (link.frames.empty() || (link.frames.back().file == death.frames.back().file &&
                                                 link.frames.back().line == death.frames.back().line));
      if (same) ranks.insert(ranks.end(), other.ranks.begin(), other.ranks.end());
    }
  return sorted_ranks(ranks);
}

int line_number(long line) {
  return static_cast<int>(std::min<long>(line, 2147483647));
}

// The last line before an end that is neither a logger's nor a bar: what a library prints when it gives up.
std::optional<LogLine> raw_words(const DeathNotice& exit) {
  if (exit.code && signal_name(*exit.code) == "SIGKILL") return std::nullopt;  // leaves no time for words
  for (std::size_t i = exit.before.size(); i-- > 0;) {
    const std::vector<LogText> texts = read_prefixes(exit.before[i].text);
    const LogText& line = texts.back();
    if (line.head || !line.level.empty() || line.text.find("%|") != std::string::npos) continue;
    if (trim(line.text).size() < 8) continue;
    return LogLine{printable(trim(std::string_view(line.text).substr(0, 500))), exit.before[i].number};
  }
  return std::nullopt;
}

std::string end_text(const DeathNotice& exit) {
  if (!exit.code) return exit.text;
  const std::string_view signal = signal_name(*exit.code);
  return signal.empty() ? fmt::format("exit code {}", *exit.code)
                        : fmt::format("{} (exit code {})", signal, *exit.code);
}

// The first that a library said of it, shortly before, when that ends the process by itself.
const LibraryRemark* beginning_of(const LoggedLaunch& launch, long line) {
  constexpr long kShortly = 60;  // lines
  for (const LibraryRemark& remark : launch.remarks)
    if (remark.ends_process && remark.line <= line && remark.line + kShortly >= line) return &remark;
  return nullptr;
}

TraceDeath from_notices(const LoggedLaunch& launch, const LogDeath& found, LogVerdict& verdict) {
  TraceDeath death;
  const DeathNotice& first = found.words ? *found.words : *found.exit;
  const DeathNotice* whose = found.exit && !found.exit->process.text().empty() ? found.exit : &first;
  if (!first.process.text().empty() && first.process.rank_number() >= 0) whose = &first;
  if (found.words) {
    death.message = found.words->text;
  } else {
    const std::optional<LogLine> words = raw_words(*found.exit);
    verdict.wordless = !words;
    death.message = words ? words->text : found.exit->text;
    if (words && words->number > 0) death.log_line = line_number(words->number);
  }
  if (!death.log_line && first.line > 0) death.log_line = line_number(first.line);
  if (const LibraryRemark* remark = beginning_of(launch, first.line); remark && remark->line < first.line) {
    death.message = found.words ? remark->text + "; " + death.message : remark->text;
    death.log_line = line_number(remark->line);
    verdict.wordless = false;
  }
  death.process = whose->process.text();
  if (const int rank = whose->process.rank_number(); rank >= 0) death.ranks = format_ranks({rank});
  death.after_s = launch.seconds_to(first.time);
  if (!death.after_s && found.exit) death.after_s = launch.seconds_to(found.exit->time);
  if (found.exit && found.exit->code) death.phase = end_text(*found.exit);
  return death;
}

std::string follow_up_text(const LoggedTraceback& follow_up) {
  const std::string who = follow_up.process.text();
  return fmt::format("lines {}-{}{}: {}", follow_up.first_line, follow_up.last_line,
                     who.empty() ? "" : ", " + who,
                     printable(error_text(follow_up.links.back()).substr(0, 200)));
}

std::string when_text(const LoggedLaunch& launch, const TraceDeath& death) {
  if (!death.after_s) return "";
  return fmt::format(", {:.0f} s after {}", std::floor(*death.after_s),
                     launch.begins ? "start" : "the log's first moment");
}

// "rank 5, server.log:84, 22 s after start: NotImplementedError: ..."
std::string headline(const LoggedLaunch& launch, const LogVerdict& verdict, const std::string& origin) {
  const TraceDeath& death = *verdict.death;
  std::string who = death.process;
  if (death.ranks.find_first_of(",-") != std::string::npos) who = ranks_text(death.ranks);
  std::string text = who.empty() || death.log_line.value_or(0) > 0 ? "" : who;
  if (death.log_line.value_or(0) > 0) {
    text = fmt::format("{}{}:{}{}", who.empty() ? "" : who + ", ", file_name(origin), *death.log_line,
                       when_text(launch, death));
  }
  std::string said = join(split(error_text(death), '\n'), "; ");
  if (said.size() > kShownMessage)
    said = said.substr(0, kShownMessage / 2) + " ... " + said.substr(said.size() - kShownMessage / 2);
  if (verdict.wordless && !death.phase.empty())
    return text + fmt::format(": {}, without last words ({})", death.phase, printable(said));
  text += (text.empty() ? "" : ": ") + printable(said);
  if (death.error.empty())
    text += death.phase.empty() ? " (no traceback)" : fmt::format(" ({}, no traceback)", death.phase);
  return text;
}

std::string reached_text(const LoggedLaunch& launch) {
  if (launch.milestones.empty()) return "no step of the start is in the log";
  const ReachedMilestone& last = launch.milestones.back();
  return fmt::format("the last step in the log is '{}' (line {}{})", last.milestone->step, last.line,
                     last.ranks.empty() ? "" : ", " + ranks_text(sorted_ranks(last.ranks)));
}

std::string summary_of(const LoggedLaunch& launch, const LogVerdict& verdict, const std::string& origin) {
  if (launch.mixed) return "two servers print into this log, and nothing tells their lines apart";
  if (!verdict.death)
    return launch.ready_at > 0 ? "the server came up"
                               : fmt::format("the log shows neither a death nor a server that is ready; {}",
                                             reached_text(launch));
  std::string text = "died: " + headline(launch, verdict, origin);
  if (verdict.truncated) text += "; the log is cut off inside this traceback";
  if (verdict.signature) text += ": " + verdict.signature->title;
  if (!verdict.alone) text += "; its own last words are not in the log";
  if (verdict.after_ready) text += "; it had come up before";
  return text + "; " + reached_text(launch);
}

// The first exception of a chain is the reason; a later one only wraps it, unless only that one is known.
void from_traceback(const LoggedLaunch& launch, const LogDeath& found,
                    const std::vector<Signature>& signatures, LogVerdict& verdict) {
  const LoggedTraceback& traceback = *found.traceback;
  verdict.before = remarks_before(launch.remarks, traceback.line);
  std::size_t chosen = 0;
  for (std::size_t i = 0; i < traceback.links.size() && !verdict.signature; ++i) {
    verdict.signature = find_signature(signatures, traceback.links[i], verdict.before);
    if (verdict.signature && verdict.signature->match.wraps && i > 0) verdict.signature = nullptr;
    if (verdict.signature) chosen = i;
  }
  verdict.truncated = traceback.truncated;
  verdict.alone = found.weight != Weight::follow_up;
  TraceDeath death = traceback.links[chosen];
  death.process = traceback.process.text();
  death.ranks = ranks_of(launch, death);
  death.log_line = line_number(chosen < traceback.lines.size() ? traceback.lines[chosen] : traceback.line);
  death.after_s = launch.seconds_to(traceback.time);
  for (std::size_t i = 0; i < traceback.links.size(); ++i)
    if (i != chosen) death.chain.push_back(error_text(traceback.links[i]));
  verdict.death = std::move(death);
}

}  // namespace

LogVerdict judge_launch(const LoggedLaunch& launch, const std::vector<Signature>& signatures,
                        const std::string& origin) {
  LogVerdict verdict;
  verdict.outcome = kUnknown;
  verdict.after_ready = launch.ready_at > 0;
  const LogDeath found = launch.mixed ? LogDeath{} : find_death(launch);
  if (found.traceback) {
    from_traceback(launch, found, signatures, verdict);
  } else if (found.found) {
    verdict.death = from_notices(launch, found, verdict);
    verdict.before = remarks_before(launch.remarks, found.exit ? found.exit->line : found.words->line);
    verdict.signature = find_signature(signatures, *verdict.death, verdict.before);
    verdict.alone = found.words != nullptr || found.exit->kind != DeathNotice::Kind::aftermath;
  }
  if (verdict.death) {
    verdict.outcome = outcome_of(*verdict.death, verdict.signature);
    for (const LoggedTraceback* follow_up : found.follow_ups)
      if (verdict.death->follow_ups.size() < kMaxFollowUps)
        verdict.death->follow_ups.push_back(follow_up_text(*follow_up));
  } else if (launch.ready_at > 0 && !launch.mixed) {
    verdict.outcome = kNoFailureFound;
  }
  verdict.summary = summary_of(launch, verdict, origin);
  return verdict;
}

}  // namespace ringside
