#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "served/argument_lines.hpp"
#include "served/decode_window.hpp"
#include "served/log_stream.hpp"
#include "served/read_speeds.hpp"
#include "served/round_groups.hpp"
#include "served/window_rounds.hpp"

namespace ringside {
namespace {

constexpr const char* kDecodeBatch = "Decode batch";
constexpr const char* kPrefillBatch = "Prefill batch";
constexpr const char* kAcceptance = "SpecDecoding metrics:";
constexpr const char* kOlderAcceptance = "Speculative metrics:";
constexpr const char* kThroughput = "Avg generation throughput:";

std::vector<std::string> searched_texts() {
  std::vector<std::string> texts = argument_texts();
  for (const char* text : {kDecodeBatch, kPrefillBatch, kAcceptance, kOlderAcceptance, kThroughput})
    texts.emplace_back(text);
  return texts;
}

// The windows of a log, and the arguments of each start of a server.
class WindowReader final : public LogConsumer {
 public:
  void take(const LogLine& line) override {
    const std::string_view text = line.text;
    const auto has = [&](const char* label) { return text.find(label) != std::string_view::npos; };
    if (has(kDecodeBatch)) return take_sglang(text);
    if (has(kPrefillBatch)) return take_prefill(text);
    if (has(kThroughput)) return take_throughput(text);
    if (has(kAcceptance) || has(kOlderAcceptance)) return take_acceptance(text, has(kOlderAcceptance));
    take_argument_line(text);
  }

  const std::vector<DecodeWindow>& windows() const { return windows_; }
  const std::vector<LoggedArguments>& starts() const { return starts_; }

 private:
  LoggedArguments& arguments() { return starts_.back(); }

  void take_argument_line(std::string_view text) {
    LoggedArguments next = starts_.back();
    const ArgumentLine kind = take_arguments(text, next);
    if (kind == ArgumentLine::none) return;
    if (kind == ArgumentLine::start && wrote_) {
      // Another start: what the last one's windows say is its own.
      next = {};
      take_arguments(text, next);
      starts_.emplace_back();
      wrote_ = drafts_ = false;
      last_ = {};
    }
    starts_.back() = std::move(next);
  }

  void add(DecodeWindow window, const char* server) {
    if (window.running == 0.0) return;
    if (!window.tokens_s && !window.length && !window.accept_rate && window.rates.empty()) return;
    window.start = static_cast<int>(starts_.size()) - 1;
    if (arguments().server.empty()) arguments().server = server;
    wrote_ = true;
    windows_.push_back(std::move(window));
  }

  void take_sglang(std::string_view text) {
    auto read = sglang_window(text);
    if (!read) return;
    read->window.prefilled = prefilled_.erase(read->window.rank) > 0;
    add(std::move(read->window), "SGLang");
  }

  // Seconds in which prompts were read give fewer tokens.
  void take_prefill(std::string_view text) {
    // The same words stand before both kinds of line.
    std::string like(text.substr(0, text.find(kPrefillBatch)));
    if (const auto read = sglang_window(like + kDecodeBatch)) prefilled_.insert(read->window.rank);
  }

  // An idle server goes on reporting, with 0 tokens/s.
  void take_throughput(std::string_view text) {
    auto window = vllm_window(text);
    if (!window) return;
    idle_ = window->running == 0.0;
    // The engine that says "Speculative metrics:" counts on, so later windows speculate as well; those that
    // say "SpecDecoding metrics:" say it behind each window with drafts.
    window->speculative = drafts_;
    add(std::move(*window), "vLLM");
  }

  void take_acceptance(std::string_view text, bool older) {
    VllmAcceptance read = vllm_acceptance(text);
    if (older) use_counts(read);
    if (older) drafts_ = true;
    if (idle_) return;
    if (!read.length && read.accept_rate && !older) read.length = length_of(*read.accept_rate);
    if (awaits_acceptance()) {
      windows_.back().speculative = true;
      put(read, windows_.back());
      return;
    }
    DecodeWindow window;
    window.speculative = true;
    if (wrote_) window.running = windows_.back().running;
    put(read, window);
    add(std::move(window), "vLLM");
  }

  // Whether the last window is this start's, and nothing was said of its acceptance.
  bool awaits_acceptance() const {
    if (!wrote_) return false;
    const DecodeWindow& last = windows_.back();
    return last.tokens_s && !last.length && !last.accept_rate && last.rates.empty();
  }

  static void put(const VllmAcceptance& read, DecodeWindow& window) {
    window.length = read.length;
    window.accept_rate = read.accept_rate;
    window.rates = read.rates;
  }

  // The first version of the line has no length; with k drafts each step it is 1 + k x rate. A draft by
  // n-grams is shorter at times.
  std::optional<double> length_of(double accept_rate) {
    const LoggedArguments& known = arguments();
    if (!known.draft_steps || known.method == "ngram" || known.draft_model == "[ngram]") return std::nullopt;
    return 1 + *known.draft_steps * accept_rate;
  }

  // "Speculative metrics:" counts since the start: what came since the last line is this window's.
  void use_counts(VllmAcceptance& read) {
    if (!read.drafted || !read.emitted || !read.drafts_a_step) return;
    const double drafted = *read.drafted - last_.drafted, emitted = *read.emitted - last_.emitted;
    last_ = {*read.drafted, *read.emitted};
    if (drafted <= 0 || emitted <= 0) return;
    const double length = emitted / (drafted / *read.drafts_a_step);
    if (length >= 1 && length <= *read.drafts_a_step + 1) read.length = length;
  }

  struct Counts {
    double drafted = 0;
    double emitted = 0;
  };

  std::vector<DecodeWindow> windows_;
  std::vector<LoggedArguments> starts_ = std::vector<LoggedArguments>(1);
  std::set<int> prefilled_;  // ranks that read prompts since their last window
  bool wrote_ = false;       // this start wrote windows
  bool drafts_ = false;      // it said "Speculative metrics:"
  bool idle_ = false;        // vLLM's last window had nothing to do
  Counts last_;
};

void say_missing_ranks(const SpeedReading& reading, std::vector<std::string>& doubts) {
  if (reading.ranks >= reading.ranks_of) return;
  doubts.push_back(fmt::format(
      "at batch {:g} {} of {} data-parallel ranks wrote: the others were idle, or wrote into another log",
      reading.batch.value_or(0), reading.ranks, reading.ranks_of));
}

void say_drafts_off(const SpeedReading& reading, std::vector<std::string>& doubts) {
  if (reading.speculative || !reading.arguments.speculation.value_or(false)) return;
  doubts.push_back(
      fmt::format("{} window{} at batch {:g} without drafts {} of a server with speculation switched on, "
                  "which is no plain "
                  "server",
                  reading.windows, reading.windows == 1 ? "" : "s", reading.batch.value_or(0),
                  reading.windows == 1 ? "is" : "are"));
}

}  // namespace

SpeedFile read_speed_log(const std::string& text, const std::string& origin) {
  WindowReader reader;
  LogStream stream(searched_texts(), reader);
  try {
    stream.feed(text);
  } catch (const UsageError& problem) {
    throw UsageError(fmt::format("{}: {}", origin, problem.what()));
  }
  stream.finish();
  std::vector<std::optional<double>> pools;
  for (const LoggedArguments& start : reader.starts()) pools.push_back(start.pool_tokens);
  SpeedFile file;
  file.readings = readings_of(rounds_of(reader.windows(), pools), reader.starts(), origin);
  file.arguments = reader.starts().back();
  file.kind = file.arguments.server.empty() ? "log" : file.arguments.server + " log";
  file.withheld = stream.withheld();
  for (const SpeedReading& reading : file.readings) {
    say_missing_ranks(reading, file.doubts);
    say_drafts_off(reading, file.doubts);
  }
  return file;
}

}  // namespace ringside
