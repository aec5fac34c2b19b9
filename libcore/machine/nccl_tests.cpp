#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "machine/measured_times.hpp"
#include "stats/order.hpp"

namespace ringside {
namespace {

// A rank's line says the node, the device and the GPU's name: "#  Rank  0 Group  0 Pid  43 on node device  0
// [0x0f] NVIDIA H200".
constexpr std::string_view kRank = "Rank ";
constexpr std::string_view kDevice = " device ";
constexpr std::string_view kLibrary = "nccl-library=";
constexpr std::string_view kVersion = "NCCL version ";

constexpr std::string_view kAllreduce[] = {"all_reduce_perf", "allreduce_perf"};
constexpr std::string_view kAlltoall[] = {"alltoall_perf", "all_to_all_perf"};
constexpr std::string_view kOthers[] = {"all_gather_perf", "reduce_scatter_perf", "broadcast_perf",
                                        "sendrecv_perf",   "reduce_perf",         "gather_perf",
                                        "scatter_perf",    "hypercube_perf"};

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  std::size_t at = 0;
  while ((at = line.find_first_not_of(" \t", at)) != std::string_view::npos) {
    const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

std::optional<double> number(std::string_view word) {
  double value = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (problem != std::errc{} || end != word.data() + word.size() || !(value >= 0 && value < 1e15))
    return std::nullopt;
  return value;
}

// 22907 -> "2.29.7", 2804 -> "2.8.4"
std::string version_text(int code) {
  return code >= 10000 ? fmt::format("{}.{}.{}", code / 10000, code / 100 % 100, code % 100)
                       : fmt::format("{}.{}.{}", code / 1000, code / 100 % 10, code % 100);
}

class Reader {
 public:
  explicit Reader(std::string origin) : origin_(std::move(origin)) {}

  void take(std::string_view line) {
    // mpirun puts "[1,0]<stdout>:" before a line.
    if (const std::size_t tag = line.find("<stdout>:"); tag != std::string_view::npos && tag < 12)
      line.remove_prefix(tag + 9);
    line = trim(line);
    take_name(line);
    if (const auto rank = number_behind(line, kRank); rank && line.find(kDevice) != std::string_view::npos)
      return take_rank(line, *rank);
    if (const auto code = number_behind(line, kLibrary)) version_ = version_text(static_cast<int>(*code));
    if (const std::size_t at = line.find(kVersion); at != std::string_view::npos)
      version_ = printable(line.substr(
          at + kVersion.size(), line.find_first_of("+ ", at + kVersion.size()) - at - kVersion.size()));
    if (const auto graph = number_behind(line, "graph: ");
        graph && line.find("nThread") != std::string_view::npos) {
      begin_run();
      mode_ = *graph > 0 ? Mode::graph : Mode::eager;
    }
    if (line.starts_with("#")) return take_header(line);
    take_row(line);
  }

  std::vector<MeasuredTimes> result() {
    for (Run& run : runs_)
      for (auto& [bytes, values] : run.values) run.times.us[bytes] = median(values);
    std::vector<MeasuredTimes> series;
    for (Run& run : runs_)
      if (!run.times.us.empty()) series.push_back(std::move(run.times));
    return series;
  }

 private:
  struct Run {
    MeasuredTimes times;
    std::map<double, std::vector<double>> values;
  };

  static std::optional<double> number_behind(std::string_view line, std::string_view label) {
    const std::size_t at = line.find(label);
    if (at == std::string_view::npos) return std::nullopt;
    const std::vector<std::string_view> words = words_of(line.substr(at + label.size(), 32));
    return words.empty() ? std::nullopt
                         : number(words.front().substr(0, words.front().find_first_not_of("0123456789")));
  }

  void take_name(std::string_view line) {
    const auto names = [&](std::string_view name) { return line.find(name) != std::string_view::npos; };
    if (std::ranges::any_of(kAllreduce, names))
      name_ = Collective::allreduce;
    else if (std::ranges::any_of(kAlltoall, names))
      name_ = Collective::alltoall;
    else if (const auto* other = std::ranges::find_if(kOthers, names); other != std::end(kOthers))
      other_ = *other, name_.reset();
    else
      return;
    if (name_) other_.clear();
  }

  // Another run: other ranks, and rows of its own.
  void begin_run() {
    ranks_ = 0;
    gpu_.clear();
    columns_.clear();
    open_ = false;
  }

  void take_rank(std::string_view line, double rank) {
    if (open_) begin_run();
    ranks_ = std::max(ranks_, static_cast<int>(std::min(rank, 1e6)) + 1);
    if (const std::size_t end = line.rfind(']'); gpu_.empty() && end != std::string_view::npos)
      gpu_ = printable(trim(line.substr(end + 1)));
  }

  // "#  size  count  type  redop  root  time  algbw  busbw #wrong  time ..."
  void take_header(std::string_view line) {
    const std::vector<std::string_view> words = words_of(line.substr(1));
    if (words.size() < 2 || words[0] != "size" || std::ranges::find(words, "time") == words.end()) return;
    columns_.assign(words.begin(), words.end());
    open_ = false;
  }

  void take_row(std::string_view line) {
    if (columns_.empty()) return;
    const std::vector<std::string_view> words = words_of(line);
    if (words.size() < 2 || words.size() > columns_.size()) return;
    std::optional<double> bytes, time;
    std::string type, operation;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (columns_[i] == "size") bytes = number(words[i]);
      if (columns_[i] == "type") type = printable(words[i]);
      if (columns_[i] == "redop") operation = printable(words[i]);
      if (columns_[i] == "time" && !time) time = number(words[i]);
    }
    if (!bytes || !time || *bytes <= 0 || *time <= 0) return;
    if (!open_) open(type, operation);
    runs_.back().values[*bytes].push_back(*time);
  }

  void open(const std::string& type, const std::string& operation) {
    if (!other_.empty())
      throw UsageError(fmt::format("{}: times of {} are of another collective than allreduce and all-to-all",
                                   origin_, other_));
    Run run;
    MeasuredTimes& times = run.times;
    times.collective = name_.value_or(Collective::allreduce);
    if (!name_ && operation == "none")
      throw UsageError(origin_ +
                       ": it doesn't say which of nccl-tests it is of, and no allreduce has redop none");
    if (!name_)
      times.doubt = origin_ + ": it doesn't say which of nccl-tests it is of; taken as all_reduce_perf";
    times.ranks = ranks_;
    times.dtype = type;
    times.strategy = version_.empty() ? "NCCL" : "NCCL " + version_;
    times.mode = mode_;
    times.gpu = gpu_;
    times.source = fmt::format("{}, nccl-tests{}{}", origin_, version_.empty() ? "" : " of NCCL " + version_,
                               ranks_ > 0 ? fmt::format(", {} ranks", ranks_) : "");
    runs_.push_back(std::move(run));
    open_ = true;
  }

  std::string origin_;
  std::optional<Collective> name_;
  std::string other_;  // of a collective that isn't asked for
  int ranks_ = 0;
  std::string gpu_;
  std::string version_;
  std::optional<Mode> mode_;
  std::vector<std::string> columns_;
  bool open_ = false;  // rows go to the last run
  std::vector<Run> runs_;
};

}  // namespace

std::vector<MeasuredTimes> read_nccl_tests(const std::string& text, const std::string& origin) {
  Reader reader(origin);
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    reader.take(rest.substr(0, std::min<std::size_t>(end, 4096)));
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return reader.result();
}

}  // namespace ringside
