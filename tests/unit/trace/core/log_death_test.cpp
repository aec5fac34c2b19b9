#include <fmt/format.h>

#include "support/catch.hpp"
#include "unit/trace/core/logged.hpp"

using namespace ringside;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

const std::string kEngine = "(EngineCore_DP0 pid=300) ";
const std::string kApi = "(APIServer pid=1) ";

std::string vllm(const std::string& who, int second, const std::string& place, const std::string& text) {
  return prefixed(text, fmt::format("{}ERROR 05-02 03:00:{:02} [{}] ", who, second, place));
}

const std::string kWorkersOwn =
    "WorkerProc failed to start.\nTraceback (most recent call last):\n"
    "  File \"/opt/vllm/worker.py\", line 3, in init_device\n    check()\n"
    "ValueError: no such backend\n";
const std::string kParents =
    vllm(kEngine, 42, "core.py:708",
         "EngineCore failed to start.\nTraceback (most recent call last):\n"
         "  File \"/opt/vllm/executor.py\", line 9, in wait_for_ready\n    raise e from None\n"
         "Exception: WorkerProc initialization failed due to an exception in a background process. See stack "
         "trace for root cause.\n") +
    prefixed(
        "Traceback (most recent call last):\n  File \"/usr/bin/vllm\", line 10, in <module>\n    main()\n"
        "RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}\n",
        kApi);
const std::string kEof =
    "Traceback (most recent call last):\n"
    "  File \"/opt/sglang/launch_server.py\", line 31, in <module>\n    run_server(server_args)\n"
    "  File \"/opt/sglang/engine.py\", line 1043, in _launch_subprocesses\n"
    "    data = scheduler_pipe_readers[i].recv()\nEOFError\n";
const std::string kArgs = "[2026-03-02 10:00:00] server_args=ServerArgs(model_path='/m', tp_size=4)\n";

TraceDeath death_in(const std::string& log) {
  const Document document = trace_of_log(log);
  REQUIRE(document.trace->death);
  return *document.trace->death;
}

}  // namespace

TEST_CASE("a worker's own death is named, not what its parents make of it, whoever prints first") {
  const std::string own = vllm("(Worker_TP1 pid=311) ", 40, "multiproc_executor.py:7", kWorkersOwn);
  for (const std::string& log : {own + kParents, kParents + own}) {
    const TraceDeath death = death_in(log);
    CHECK(death.error == "ValueError");
    CHECK(death.ranks == "1");
    CHECK(death.process == "rank 1");
    CHECK(death.follow_ups.size() == 2);
  }
  const Document document = trace_of_log(own + kParents);
  CHECK_THAT(document.trace->summary, StartsWith("died: rank 1, server.log:5, 0 s after"));
}

TEST_CASE("where only the parents are in the log, that is said, and no cause is made up") {
  const Document document = trace_of_log(kParents);
  CHECK(document.trace->outcome == "unknown-death");
  CHECK_THAT(document.trace->summary, ContainsSubstring("its own last words are not in the log"));
}

TEST_CASE("TensorRT-LLM's proxy and Ray's caller are follow-ups of a worker's death") {
  const TraceDeath trt = death_in(
      "[03/02/2026-10:00:30] [TRT-LLM] [E] Failed to initialize executor on rank 3: bad SM\n"
      "[03/02/2026-10:00:30] [TRT-LLM] [E] Traceback (most recent call last):\n"
      "  File \"/trt/worker.py\", line 350, in worker_main\n    worker()\nRuntimeError: bad SM\n\n"
      "Traceback (most recent call last):\n  File \"/trt/proxy.py\", line 1, in <module>\n    raise\n"
      "RuntimeError: Executor worker returned error\n");
  CHECK((trt.message == "bad SM" && trt.ranks == "3"));
  const TraceDeath ray = death_in(
      vllm("", 40, "core.py:7",
           "EngineCore failed to start.\nTraceback (most recent call last):\n"
           "  File \"/opt/vllm/ray.py\", line 48, in get\n    ray.get(x)\n"
           "ray.exceptions.RayTaskError(ValueError): ray::Worker.init_device() (pid=7, ip=10.0.0.2)\n"
           "  File \"/opt/vllm/worker.py\", line 258, in init_device\n    check()\nValueError: no memory\n"));
  CHECK((ray.error == "ValueError" && ray.message == "no memory"));
}

TEST_CASE(
    "a death without a traceback is told by its last words and its code, not by the pipe that it leaves") {
  for (const auto& [words, said] : std::vector<std::pair<std::string, std::string>>{
           {"  0%|   | 0/36 [00:00<?, ?it/s]CUDA error (a.h:1): no kernel image is available for execution "
            "on the "
            "device\n",
            "CUDA error (a.h:1): no kernel image"},
           {"setting membind: Invalid argument\n", "setting membind: Invalid argument"},
           {"some library gives up on node 3\n", "some library gives up on node 3"},
           {"terminate called after throwing an instance of 'c10::Error'\n  what():  bad\n", "what():  bad"},
           {"free(): invalid pointer\n", "free(): invalid pointer"}}) {
    CAPTURE(words);
    const TraceDeath death = death_in(
        kArgs + words +
        "[2026-03-02 10:01:04] Rank 2 scheduler is dead. Please check if there are relevant logs.\n" +
        "[2026-03-02 10:01:06] Exit code: 1\n" + kEof);
    CHECK(death.error.empty());
    CHECK_THAT(death.message, ContainsSubstring(said));
    CHECK(death.ranks == "2");
    CHECK(death.phase == "exit code 1");
    CHECK(death.log_line == (words.starts_with("terminate") ? 3 : 2));
    CHECK(death.follow_ups.size() == 1);
  }
}

TEST_CASE("SIGKILL leaves no words: the line before it is none of them") {
  const std::string log = kArgs +
                          "Loading weights into memory\n[2026-03-02 10:01:04] Rank 2 scheduler is dead.\n"
                          "[2026-03-02 10:01:06] Exit code: -9\n" +
                          kEof;
  const Document document = trace_of_log(log);
  CHECK(document.trace->death->message.find("Loading") == std::string::npos);
  CHECK_THAT(document.trace->summary, ContainsSubstring("SIGKILL"));
}

TEST_CASE("ends that shells, Slurm, the kernel, MPI and systemd tell of are read with their codes") {
  for (const auto& [line, phase] : std::vector<std::pair<std::string, std::string>>{
           {"run.sh: line 7:  4711 Killed  python3 -m x", "SIGKILL (exit code -9)"},
           {"Killed", "SIGKILL (exit code -9)"},
           {"Segmentation fault (core dumped)", "SIGSEGV (exit code -11)"},
           {"Illegal instruction (core dumped)", "SIGILL (exit code -4)"},
           {"srun: error: n07: task 3: Exited with exit code 134", "SIGABRT (exit code 134)"},
           {"mpirun noticed that process rank 3 with PID 77 on node n exited on signal 11 (Segmentation "
            "fault).",
            "SIGSEGV (exit code -11)"},
           {"unit: Main process exited, code=killed, status=9/KILL", "SIGKILL (exit code -9)"},
           {"Worker proc VllmWorker-1 died unexpectedly (exit code: -9), shutting down executor.",
            "SIGKILL (exit code -9)"}}) {
    CAPTURE(line);
    CHECK(death_in(kArgs + line + "\n").phase == phase);
  }
  CHECK_THAT(
      death_in(kArgs + "Mar  2 10:00:00 n kernel: Out of memory: Killed process 77 (python3)\n").message,
      ContainsSubstring("Killed process 77"));
}

TEST_CASE("words that only look like an end are none") {
  for (const char* line : {"Killed request 17 by abort", "exit code: 0",
                           "[2026-03-02 10:00:01] Aborted by the user", "worker terminated with grace"})
    CHECK(trace_of_log(kArgs + line + "\n").trace->outcome == "unknown");
}

TEST_CASE("a neighbour that lost its peer is not the death, unless nothing else is in the log") {
  const std::string neighbour =
      "[t TP0] Scheduler hit an exception: Traceback (most recent call last):\n"
      "  File \"/x/dist.py\", line 3, in g\n    work.wait()\n"
      "torch.distributed.DistBackendError: NCCL error: ncclRemoteError: A call failed possibly due to a "
      "network "
      "error or a remote process exiting prematurely.\n";
  const std::string own =
      "[t TP2] Scheduler hit an exception: Traceback (most recent call last):\n"
      "  File \"/x/a.py\", line 3, in g\n    f()\nIndexError: own\n";
  CHECK(death_in(neighbour + own).error == "IndexError");
  CHECK(death_in(neighbour).ranks == "0");
}

TEST_CASE("a process that a signal ended before another one raised is the death") {
  const TraceDeath death =
      death_in(kArgs +
               "Fatal Python error: Segmentation fault\n[2026-03-02 10:00:09] Rank 1 scheduler is dead.\n"
               "[2026-03-02 10:00:09] Exit code: -11\n"
               "[2026-03-02 10:00:12 TP0] Scheduler hit an exception: Traceback (most recent call last):\n"
               "  File \"/x/a.py\", line 3, in g\n    f()\nRuntimeError: something is gone\n");
  CHECK(death.ranks == "1");
  CHECK_THAT(death.message, ContainsSubstring("Segmentation fault"));
}

TEST_CASE("a rank that only its pid tells is known from the lines of that pid") {
  const TraceDeath death = death_in(
      "(RayWorkerWrapper pid=18, ip=10.0.4.8) [rank8]:[W815 08:50:01.7 a.cpp:514] Warning: Failed to resolve "
      "Killed\n" +
      vllm("(RayWorkerWrapper pid=18, ip=10.0.4.8) ", 33, "w.py:3",
           "Error executing method 'init_device'.\nTraceback (most recent call last):\n"
           "  File \"/x/a.py\", line 3, in g\n    f()\nRuntimeError: own\n"));
  CHECK(death.ranks == "8");
}
