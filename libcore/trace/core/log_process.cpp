#include "trace/core/log_process.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "served/log_line.hpp"

namespace ringside {

namespace {

using Word = std::pair<std::string_view, ProcessRole>;

// How names of processes begin; the longer come first.
constexpr std::array<Word, 16> kNames = {{
    {"RayWorkerWrapper", ProcessRole::worker},
    {"RayWorkerProc", ProcessRole::worker},
    {"RayTrainWorker", ProcessRole::worker},
    {"VllmWorker", ProcessRole::worker},
    {"Worker", ProcessRole::worker},
    {"DPEngineCoreActor", ProcessRole::engine_core},
    {"EngineCore", ProcessRole::engine_core},
    {"APIServer", ProcessRole::api_server},
    {"ApiServer", ProcessRole::api_server},
    {"DPSupervisor", ProcessRole::launcher},
    {"VLLM_DP_Coordinator", ProcessRole::launcher},
    {"sglang::scheduler", ProcessRole::scheduler},
    {"sglang::detokenizer", ProcessRole::detokenizer},
    {"scheduler", ProcessRole::scheduler},
    {"SpawnProcess", ProcessRole::unknown},
    {"raylet", ProcessRole::launcher},
}};

// What is written before a traceback.
constexpr std::array<Word, 14> kWords = {{
    {"Scheduler hit an exception", ProcessRole::scheduler},
    {"DetokenizerManager hit an exception", ProcessRole::detokenizer},
    {"TokenizerManager hit an exception", ProcessRole::tokenizer},
    {"DataParallelController hit an exception", ProcessRole::scheduler},
    {"WorkerProc failed to start", ProcessRole::worker},
    {"WorkerProc hit an exception", ProcessRole::worker},
    {"Error executing method", ProcessRole::worker},
    {"Failed to initialize executor on rank", ProcessRole::worker},
    {"EngineCore failed to start", ProcessRole::engine_core},
    {"EngineCore encountered a fatal error", ProcessRole::engine_core},
    {"EngineCore hit an exception", ProcessRole::engine_core},
    {"AsyncLLM output_handler failed", ProcessRole::api_server},
    {"Process sglang::scheduler", ProcessRole::scheduler},
    {"Process EngineCore", ProcessRole::engine_core},
}};

constexpr std::array<Word, 10> kFunctions = {{
    {"run_scheduler_process", ProcessRole::scheduler},
    {"run_detokenizer_process", ProcessRole::detokenizer},
    {"run_data_parallel_controller_process", ProcessRole::scheduler},
    {"run_engine_core", ProcessRole::engine_core},
    {"worker_main", ProcessRole::worker},
    {"worker_busy_loop", ProcessRole::worker},
    {"run_worker_process", ProcessRole::worker},
    {"init_device", ProcessRole::worker},
    {"execute_method", ProcessRole::worker},
    {"<module>", ProcessRole::launcher},
}};

// "Process Worker_TP1:", of multiprocessing.
std::string_view named_process(std::string_view words) {
  if (!words.starts_with("Process ") || !words.ends_with(":")) return {};
  const std::string_view name = words.substr(8, words.size() - 9);
  return name.size() > 60 || name.find(' ') != std::string_view::npos ? std::string_view() : name;
}

}  // namespace

std::string_view to_string(ProcessRole role) {
  switch (role) {
    case ProcessRole::worker:
      return "worker";
    case ProcessRole::scheduler:
      return "scheduler";
    case ProcessRole::detokenizer:
      return "detokenizer";
    case ProcessRole::tokenizer:
      return "tokenizer";
    case ProcessRole::engine_core:
      return "engine core";
    case ProcessRole::api_server:
      return "API server";
    case ProcessRole::launcher:
      return "launcher";
    case ProcessRole::unknown:
      break;
  }
  return "process";
}

int LogProcess::rank_number() const {
  // vLLM counts a worker's ranks within its replica and stage.
  const bool within = name.starts_with("Worker") || name.starts_with("VllmWorker") ||
                      name.find(" Worker") != std::string::npos;
  if ((within && rank.find("DP") != std::string::npos) || rank.find("PP") != std::string::npos) return -1;
  if (role == ProcessRole::engine_core) return -1;
  return ringside::rank_number(rank);
}

std::string LogProcess::text() const {
  if (const int number = rank_number(); number >= 0) return fmt::format("rank {}", number);
  if (!name.empty()) return name;
  std::string text;
  if (role != ProcessRole::unknown || pid >= 0) text = to_string(role);
  if (!rank.empty()) text += (text.empty() ? "" : " ") + rank;
  if (pid >= 0 && rank.empty()) text += fmt::format(" (pid {})", pid);
  return text;
}

LogProcess process_of(const LogText& line) {
  LogProcess process;
  process.rank = line.rank;
  process.pid = line.pid;
  process.name = line.process;
  // Of nested names the innermost wrote the line.
  std::size_t last = process.name.rfind("Ray");
  const std::string_view own = std::string_view(process.name).substr(last == std::string::npos ? 0 : last);
  for (const auto& [name, role] : kNames)
    if (own.starts_with(name)) {
      process.role = role;
      break;
    }
  if (process.role == ProcessRole::unknown && ringside::rank_number(process.rank) >= 0)
    process.role = ProcessRole::worker;
  return process;
}

void learn_role(LogProcess& process, std::string_view words) {
  for (const auto& [text, role] : kWords)
    if (words.find(text) != std::string_view::npos) {
      process.role = role;
      break;
    }
  if (const std::size_t at = words.find("executor on rank "); at != std::string_view::npos)
    process.rank = "rank" + std::to_string(std::atoi(std::string(words.substr(at + 17, 6)).c_str()));
  const std::string_view name = named_process(words);
  if (name.empty()) return;
  if (process.name.empty()) process.name = std::string(name);
  for (const auto& [text, role] : kNames)
    if (name.starts_with(text)) {
      process.role = role;
      break;
    }
  if (process.rank.empty()) {
    std::string apart(name);
    std::replace(apart.begin(), apart.end(), '_', ' ');
    process.rank = rank_words(apart);
  }
}

ProcessRole role_of_function(std::string_view function) {
  for (const auto& [text, role] : kFunctions)
    if (function == text || (function.ends_with(text) && function[function.size() - text.size() - 1] == '.'))
      return role;
  return ProcessRole::unknown;
}

}  // namespace ringside
