#include "base/guard.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>

#include "base/run_to_end.hpp"
#include "support/catch.hpp"
#include "support/processes.hpp"
#include "support/temporary_folder.hpp"

using namespace ringside;
using namespace std::chrono_literals;

namespace {

// A server whose worker has a session of its own and outlives it: both write their numbers into `folder`.
Program server(const TemporaryFolder& folder, const std::string& then) {
  const std::string worker =
      "setsid sh -c 'echo $$ > worker.new; mv worker.new worker; exec sleep 60' & "
      "echo $$ > server.new; mv server.new server; while ! [ -e worker ]; do sleep 0.01; done; ";
  Program program{.argv = {"sh", "-c", "cd " + folder.path().string() + "; " + worker + then}};
  program.guarded = true;
  return program;
}

pid_t pid_in(const TemporaryFolder& folder, const std::string& name) {
  const auto file = folder.path() / name;
  for (int i = 0; i < 2000 && !std::filesystem::exists(file); ++i) std::this_thread::sleep_for(5ms);
  pid_t pid = 0;
  std::ifstream(file) >> pid;
  REQUIRE(pid > 0);
  return pid;
}

ProcessEnd end_of(const Program& program) {
  return run_to_end(program, {}, {.timeout = 20s}).end;
}

Program guarded(std::vector<std::string> argv) {
  Program program{.argv = std::move(argv)};
  program.guarded = true;
  return program;
}

// The guard of the only guarded child of this process.
pid_t guard_of(const Subprocess& child) {
  return child.pid();
}

}  // namespace

TEST_CASE("a guarded program ends as it does without a guard") {
  const ProcessEnd status = end_of(guarded({"sh", "-c", "exit 127"}));
  CHECK(status.kind == ProcessEnd::Kind::exited);
  CHECK(status.code == 127);
  CHECK(describe(end_of(guarded({"sh", "-c", "kill -9 $$"}))) == "was killed by signal 9 (Killed)");
  CHECK(describe(end_of(guarded({"ringside-no-such-program"}))) ==
        "could not be started: No such file or directory");
  CHECK(run_to_end(guarded({"sh", "-c", "echo out; echo err >&2"}), {.together = true}, {}).output ==
        "out\nerr\n");
}

TEST_CASE("a worker that has left the group and the session of its server ends with it") {
  const TemporaryFolder folder;
  CHECK(end_of(server(folder, "exit 3")).code == 3);
  CHECK(ends_within(pid_in(folder, "worker"), 2s));
}

TEST_CASE("signals reach a guarded program, and SIGKILL all that it has started") {
  const TemporaryFolder folder;
  Subprocess child(server(folder, "trap 'exit 5' TERM; while :; do sleep 0.05; done"));
  const pid_t worker = pid_in(folder, "worker");
  std::this_thread::sleep_for(100ms);  // for the trap
  child.signal(SIGTERM);
  REQUIRE(child.wait(20s));
  CHECK(child.end()->code == 5);
  CHECK(ends_within(worker, 2s));

  const TemporaryFolder other;
  Subprocess stubborn(server(other, "trap '' TERM INT HUP; while :; do sleep 0.05; done"));
  const pid_t its_worker = pid_in(other, "worker");
  stubborn.kill();
  REQUIRE(stubborn.wait(20s));
  CHECK(describe(*stubborn.end()) == "was killed by signal 9 (Killed)");
  CHECK(ends_within(its_worker, 2s));
}

TEST_CASE("nothing of a guarded program survives the process that has started it, nor does its folder") {
  for (const bool stop_guard : {false, true}) {
    const TemporaryFolder folder;
    const auto scratch = folder.path() / "scratch";
    std::filesystem::create_directories(scratch / "deep" / "er");
    std::ofstream(scratch / "deep" / "er" / "file") << "text";
    const pid_t owner = ::fork();
    if (owner == 0) {
      Program program = server(folder, "sleep 60");
      program.scratch = scratch;
      Subprocess child(program);
      if (stop_guard) ::kill(guard_of(child), SIGSTOP);
      for (;;) child.wait(1s);
    }
    const pid_t worker = pid_in(folder, "worker");
    const pid_t leader = pid_in(folder, "server");
    std::this_thread::sleep_for(50ms);
    ::kill(owner, SIGKILL);
    REQUIRE(::waitpid(owner, nullptr, 0) == owner);
    CHECK(ends_within(leader, 2s));
    CHECK(ends_within(worker, 2s));
    for (int i = 0; i < 400 && std::filesystem::exists(scratch); ++i) std::this_thread::sleep_for(5ms);
    CHECK_FALSE(std::filesystem::exists(scratch));
  }
}

TEST_CASE("a guard that is killed takes its program with it, and what that has started") {
  const TemporaryFolder folder;
  Subprocess child(server(folder, "sleep 60"));
  const pid_t worker = pid_in(folder, "worker");
  const pid_t leader = pid_in(folder, "server");
  ::kill(guard_of(child), SIGKILL);
  REQUIRE(child.wait(20s));
  CHECK(describe(*child.end()) == "was killed by signal 9 (Killed)");
  CHECK(ends_within(leader, 2s));
  CHECK(ends_within(worker, 2s));
}

TEST_CASE("a guard keeps no pipe of its program open") {
  Subprocess child(guarded({"sh", "-c", "exec >&- 2>&-; sleep 60"}));
  for (int i = 0; i < 1000 && child.output().fd() >= 0; ++i) {
    child.wait(5ms);
    child.output().drain();
  }
  CHECK(child.output().fd() < 0);
}
