#include "trace/core/death_notice.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/printable.hpp"
#include "base/text.hpp"

namespace ringside {

namespace {

using Kind = DeathNotice::Kind;

constexpr std::size_t kMaxText = 1000;
constexpr std::size_t kShortest = 8;  // of a text that is searched for

struct Entry {
  std::string_view text;
  Kind kind;
};

// Case counts. The texts are those of CUDA, glibc, the C++ run-time, the kernel, NVIDIA's driver, shells,
// Slurm, Open MPI, Kubernetes, Ray, torchrun, SGLang, vLLM and TensorRT-LLM.
constexpr std::array<Entry, 93> kEntries = {{
    {"Failed to initialize executor on rank", Kind::words},
    {"Watchdog caught collective operation timeout", Kind::hang},
    {"Watchdog timeout (", Kind::hang},
    {"watchdog timeout", Kind::hang},
    {"no kernel image is available for execution", Kind::words},
    {"an illegal memory access was encountered", Kind::words},
    {"device-side assert triggered", Kind::words},
    {"CUDA error", Kind::words},
    {"Cuda error", Kind::words},
    {"Cuda failure", Kind::words},
    {"There are not enough slots available", Kind::words},
    {"CUDA_ERROR_", Kind::words},
    {"membind: ", Kind::words},
    {"mbind: ", Kind::words},
    {"set_mempolicy: ", Kind::words},
    {"numactl: ", Kind::words},
    {"libnuma: Error", Kind::words},
    {"error while loading shared libraries", Kind::words},
    {"symbol lookup error", Kind::words},
    {"' not found (required by ", Kind::words},
    {"terminate called ", Kind::words},
    {"  what():  ", Kind::words},
    {"free(): ", Kind::words},
    {"malloc(): ", Kind::words},
    {"realloc(): ", Kind::words},
    {"munmap_chunk(): ", Kind::words},
    {"malloc_consolidate(): ", Kind::words},
    {"double free or corruption", Kind::words},
    {"corrupted size vs. prev_size", Kind::words},
    {"corrupted double-linked list", Kind::words},
    {"stack smashing detected", Kind::words},
    {"buffer overflow detected", Kind::words},
    {"Fatal Python error", Kind::words},
    {"LLVM ERROR: ", Kind::words},
    {"Assertion `", Kind::words},
    {"Check failed: ", Kind::words},
    {"ptxas fatal", Kind::words},
    {"Out of memory: Killed process", Kind::killer},
    {"Memory cgroup out of memory", Kind::killer},
    {"oom-kill:", Kind::killer},
    {"oom_kill event", Kind::killer},
    {"result 'oom-kill'", Kind::killer},
    {"killed by the OOM killer", Kind::killer},
    {"OOMKilled", Kind::killer},
    {"killed due to memory pressure", Kind::killer},
    {"NVRM: Xid", Kind::killer},
    {"DUE TO TIME LIMIT", Kind::killer},
    {"DUE TO PREEMPTION", Kind::killer},
    {"DUE TO NODE FAILURE", Kind::killer},
    {"Segmentation fault", Kind::exit},
    {"Illegal instruction", Kind::exit},
    {"Bus error", Kind::exit},
    {"core dumped", Kind::exit},
    {"Killed", Kind::exit},
    {"Aborted", Kind::exit},
    {"Process received signal", Kind::exit},
    {"] Signal: ", Kind::exit},
    {"exited on signal", Kind::exit},
    {"exit code: -", Kind::exit},
    {"Exit code: ", Kind::exit},
    {"Exit Code: ", Kind::exit},
    {"exit code -", Kind::exit},
    {"exit code 1", Kind::exit},
    {"exitcode: -", Kind::exit},
    {"exitcode=-", Kind::exit},
    {"exitcode: ", Kind::exit},
    {"exitcode=", Kind::exit},
    {"exitCode", Kind::exit},
    {"status=9/KILL", Kind::exit},
    {"status=11/SEGV", Kind::exit},
    {"status=6/ABRT", Kind::exit},
    {"died unexpectedly", Kind::exit},
    {"died with exit code", Kind::exit},
    {"scheduler is dead", Kind::exit},
    {"terminated with ", Kind::exit},
    {"Exited with exit code", Kind::exit},
    {"Out Of Memory", Kind::exit},
    {"Worker unexpectedly exits", Kind::exit},
    {"worker died or was killed", Kind::exit},
    {"received by PID", Kind::exit},
    {"crashed with exit code", Kind::exit},
    {"Failed core proc(s): {'", Kind::exit},
    {"Application shutdown complete", Kind::stopped},
    {"Finished server process", Kind::stopped},
    {"SIGTERM received", Kind::stopped},
    {"Received sigquit from a child process", Kind::aftermath},
    {"MPI_ABORT was invoked", Kind::aftermath},
    {"Primary job  terminated", Kind::aftermath},
    {"process returned a non-zero exit", Kind::aftermath},
    {"Back-off restarting failed container", Kind::aftermath},
    {"CrashLoopBackOff", Kind::aftermath},
    {"Worker proc ", Kind::aftermath},
    {"Engine core proc", Kind::aftermath},
}};

// Words that mean nothing elsewhere stand alone on their line, or behind what a shell or Slurm puts there.
bool is_alone(std::string_view text, std::string_view word) {
  const std::size_t at = text.find(word);
  const std::string_view before = trim(text.substr(0, at));
  const std::string_view behind = trim(text.substr(at + word.size()));
  if (before.empty())
    return behind.empty() || behind.starts_with("(core dumped)") || behind.starts_with("  ");
  return text.find(": line ") < at || text.starts_with("srun: error:") ||
         (before.find_first_not_of("0123456789[]+ -") == std::string_view::npos);
}

bool is_word_of_shells(std::string_view text) {
  return text == "Killed" || text == "Aborted" || text == "Illegal instruction" || text == "Bus error" ||
         text == "Out Of Memory";
}

// "[ 12%|###  | 4/36 [00:01<00:09, 3.1it/s]CUDA error": what a bar leaves on the line is not of the text.
std::string_view without_bar(std::string_view text) {
  for (const std::string_view end : {"it/s]", "s/it]"})
    if (const std::size_t at = text.rfind(end);
        at != std::string_view::npos && at + end.size() < text.size() && text.find("%|") < at)
      text.remove_prefix(at + end.size());
  return text;
}

// The number behind `word`, a minus sign included.
std::optional<int> number_behind(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    std::string_view rest = text.substr(at + word.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(" :=\t("), rest.size()));
    const bool minus = rest.starts_with('-');
    if (minus) rest.remove_prefix(1);
    const std::size_t size = std::min(rest.find_first_not_of("0123456789"), rest.size());
    if (size == 0 || size > 8) continue;
    const int value = std::atoi(std::string(rest.substr(0, size)).c_str());
    return minus ? -value : value;
  }
  return std::nullopt;
}

std::optional<int> code_of(std::string_view text) {
  for (const std::string_view word :
       {"exit code", "Exit code", "Exit Code", "exitcode", "exitCode", "terminated with", "exited with code"})
    if (const auto code = number_behind(text, word)) return code;
  for (const std::string_view word : {"on signal", "Signal", "signal"})
    if (const auto signal = number_behind(text, word); signal && *signal > 0 && *signal < 65) return -*signal;
  static constexpr std::array<std::pair<std::string_view, int>, 10> kNames = {{{"Segmentation fault", -11},
                                                                               {"Illegal instruction", -4},
                                                                               {"Bus error", -7},
                                                                               {"Killed", -9},
                                                                               {"Aborted", -6},
                                                                               {"SIGKILL", -9},
                                                                               {"SIGSEGV", -11},
                                                                               {"9/KILL", -9},
                                                                               {"11/SEGV", -11},
                                                                               {"6/ABRT", -6}}};
  for (const auto& [name, code] : kNames)
    if (text.find(name) != std::string_view::npos) return code;
  // "{'EngineCore_DP0': -9}"
  if (const std::size_t at = text.find("proc(s): {'"); at != std::string_view::npos)
    return number_behind(text.substr(at), "': ");
  return std::nullopt;
}

// Whether a line with this text is of no interest without a code.
bool needs_code(std::string_view text) {
  return text.find("xit") != std::string_view::npos ? text != "Worker unexpectedly exits"
                                                    : text == "terminated with ";
}

// "Killed process 4711 (python3)": whether that may be one of a server's. What else the kernel ended says
// nothing of a launch.
bool may_be_of_a_server(std::string_view text) {
  constexpr std::string_view kKilled = "Killed process ";
  const std::size_t at = text.find(kKilled);
  const std::size_t open = at == std::string_view::npos ? at : text.find('(', at);
  if (open == std::string_view::npos) return true;
  const std::string_view name = text.substr(open + 1, text.find(')', open) - open - 1);
  static constexpr std::array<std::string_view, 14> kNames = {
      "python", "sglang",  "vllm",   "VLLM",   "ray", "trtllm", "mpi",
      "orted",  "pt_main", "Engine", "Worker", "Api", "triton", "scheduler"};
  return std::any_of(kNames.begin(), kNames.end(),
                     [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

void learn_process(LogProcess& process, std::string_view text) {
  for (const std::string_view word : {"Rank ", "rank ", "rank=", "local_rank: ", "process rank "})
    if (const auto rank = number_behind(text, word); rank && *rank >= 0) {
      process.rank = "rank" + std::to_string(*rank);
      process.name.clear();
      process.role = ProcessRole::worker;
    }
  if (text.starts_with("srun: error:"))
    if (const auto task = number_behind(text, "task ")) process.rank = "rank" + std::to_string(*task);
  for (const std::string_view word : {"pid: ", "pid=", "PID ", "PID: ", "Killed process ", "with PID "})
    if (const auto pid = number_behind(text, word); pid && *pid > 0) process.pid = *pid;
  if (const std::size_t at = text.find("proc(s): {'"); at != std::string_view::npos) {
    process.name =
        std::string(text.substr(at + 11, std::min<std::size_t>(40, text.find('\'', at + 11) - at - 11)));
    process.role = ProcessRole::engine_core;
  }
  if (const std::size_t at = text.find("Worker proc "); at != std::string_view::npos) {
    process.name =
        std::string(text.substr(at + 12, std::min<std::size_t>(40, text.find(' ', at + 12) - at - 12)));
    process.role = ProcessRole::worker;
  }
}

}  // namespace

std::vector<std::string> notice_texts() {
  // Short words in the surroundings in which they tell of an end: the shortest text decides how fast a log is
  // searched.
  std::vector<std::string> texts = {"\nKilled",    ": Killed", "| Killed",  ") Killed",  "F Killed",
                                    "\"Killed\\n", "Killed  ", "\nAborted", ": Aborted", "Aborted  ",
                                    "\nmbind: ",   "mbind: O", "mbind: I"};
  for (const Entry& entry : kEntries)
    if (entry.text.size() >= kShortest) texts.emplace_back(entry.text);
  return texts;
}

std::optional<DeathNotice> read_notice(const LogText& line, long number) {
  const std::string_view text = without_bar(line.text);
  const Entry* found = nullptr;
  for (const Entry& entry : kEntries) {
    if (text.find(entry.text) == std::string_view::npos) continue;
    if (is_word_of_shells(entry.text) && !is_alone(text, entry.text)) continue;
    found = &entry;
    break;
  }
  if (!found || !may_be_of_a_server(text)) return std::nullopt;
  DeathNotice notice;
  notice.kind = found->kind;
  notice.line = number;
  notice.time = line.moment();
  notice.process = process_of(line);
  if (notice.kind == Kind::words) learn_role(notice.process, text);
  if (notice.kind == Kind::exit || notice.kind == Kind::killer) {
    if (notice.kind == Kind::exit) notice.code = code_of(text);
    if (notice.code == 0 || (!notice.code && needs_code(found->text))) return std::nullopt;
    learn_process(notice.process, text);
  }
  notice.text = printable(trim(text).substr(0, kMaxText));
  return notice;
}

std::string_view signal_name(int code) {
  switch (code < 0 ? -code : code > 128 ? code - 128 : 0) {
    case 4:
      return "SIGILL";
    case 6:
      return "SIGABRT";
    case 7:
      return "SIGBUS";
    case 9:
      return "SIGKILL";
    case 11:
      return "SIGSEGV";
    case 15:
      return "SIGTERM";
    default:
      return "";
  }
}

}  // namespace ringside
