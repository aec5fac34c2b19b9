#include "base/subprocess.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <sstream>
#include <thread>

#include "support/catch.hpp"
#include "support/processes.hpp"
#include "support/temporary_folder.hpp"

using namespace ringside;
using namespace std::chrono_literals;

namespace {

struct Pipe {
  Pipe() {
    int fds[2];
    REQUIRE(::pipe2(fds, O_CLOEXEC) == 0);
    read_end = UniqueFd(fds[0]);
    write_end = UniqueFd(fds[1]);
  }
  UniqueFd read_end, write_end;
};

// As readlink prints it.
std::string link_of(int fd) {
  return std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd)).string() + "\n";
}

std::string end_of(const Program& program) {
  Subprocess child(program);
  REQUIRE(child.wait(20s));
  return describe(*child.end());
}

std::string output_of(const Program& program) {
  Subprocess child(program);
  REQUIRE(child.wait(20s));
  return std::string(child.output().text());
}

}  // namespace

TEST_CASE("a child tells how it ended, and that it runs until then") {
  Subprocess child({.argv = {"sh", "-c", "read line; exit 3"}}, {.input = Streams::Input::nothing});
  REQUIRE(child.wait(20s));
  CHECK(child.end()->kind == ProcessEnd::Kind::exited);
  CHECK(child.end()->code == 3);

  Subprocess sleeper({.argv = {"sleep", "60"}});
  CHECK_FALSE(sleeper.wait(50ms));
  CHECK_FALSE(sleeper.end());
  sleeper.signal(SIGTERM);
  REQUIRE(sleeper.wait(20s));
  CHECK(describe(*sleeper.end()) == "was killed by signal 15 (Terminated)");
}

TEST_CASE("a child that dies of a signal says which") {
  CHECK(end_of({.argv = {"sh", "-c", "kill -9 $$"}}) == "was killed by signal 9 (Killed)");
}

TEST_CASE("a program that is not there is told from one that exits with 127") {
  const Program missing{.argv = {"ringside-no-such-program"}};
  Subprocess child(missing);
  REQUIRE(child.end());
  CHECK(child.end()->kind == ProcessEnd::Kind::not_started);
  CHECK(child.end()->code == ENOENT);
  CHECK(child.pid() == -1);
  CHECK(end_of(missing) == "could not be started: No such file or directory");
  CHECK(end_of({.argv = {"/ringside-no-such-program"}}) == "could not be started: No such file or directory");
  CHECK(end_of({.argv = {"/etc/passwd"}}) == "could not be started: Permission denied");
  CHECK(end_of({.argv = {"sh", "-c", "exit 127"}}) == "exited with status 127");
}

TEST_CASE("a script without a first line for the kernel is one of the shell") {
  const TemporaryFolder folder;
  const auto script = folder.write("script", "echo \"$1\"; exit 4\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  Subprocess child({.argv = {script, "word"}});
  REQUIRE(child.wait(20s));
  CHECK(child.end()->code == 4);
  CHECK(child.output().text() == "word\n");
}

TEST_CASE("what is executed may have another name than it is told") {
  CHECK(output_of({.argv = {"other", "-c", "echo $0"}, .file = "/bin/sh"}) == "other\n");
}

TEST_CASE("a child has the environment that it is given, or that of this process") {
  CHECK(output_of({.argv = {"env"}, .environment = {{"A=1", "B=2"}}}) == "A=1\nB=2\n");
  ::setenv("RINGSIDE_SUBPROCESS_TEST", "inherited", 1);
  CHECK(output_of({.argv = {"sh", "-c", "echo $RINGSIDE_SUBPROCESS_TEST"}}) == "inherited\n");
  ::unsetenv("RINGSIDE_SUBPROCESS_TEST");
}

TEST_CASE("a child has its own descriptors and no others") {
  const Pipe pipe;
  const UniqueFd careless(::fcntl(pipe.read_end.get(), F_DUPFD, 20));  // without close-on-exec
  Program list{.argv = {"sh", "-c", "for fd in $(seq 0 99); do [ -e /proc/$$/fd/$fd ] && echo $fd; done"}};
  const std::string standard = output_of(list);
  const auto has = [](const std::string& text, int fd) {
    return ("\n" + text).find("\n" + std::to_string(fd) + "\n") != std::string::npos;
  };
  CHECK(has(standard, 2));
  CHECK_FALSE(has(standard, 3));
  CHECK_FALSE(has(standard, careless.get()));

  list.pass_open_descriptors = true;
  CHECK(has(output_of(list), careless.get()));
  CHECK_FALSE(has(output_of(list), pipe.read_end.get()));
}

TEST_CASE("descriptors get the numbers that are asked for, also where others have them on the way") {
  const Pipe a, b;
  const int first = std::max(b.write_end.get(), b.read_end.get()) + 1;
  Program program{.argv = {"readlink"}};
  std::string expected;
  for (int number = first; number < first + 20; ++number) {
    const int fd = number % 2 == 0 ? a.write_end.get() : b.write_end.get();
    program.descriptors.insert(program.descriptors.begin(), {fd, number});
    program.argv.push_back("/proc/self/fd/" + std::to_string(number));
    expected += link_of(fd);
  }
  CHECK(output_of(program) == expected);
  program.descriptors = {{a.write_end.get(), b.write_end.get()}, {b.write_end.get(), a.write_end.get()}};
  program.argv = {"readlink", "/proc/self/fd/" + std::to_string(a.write_end.get())};
  CHECK(output_of(program) == link_of(b.write_end.get()));
}

TEST_CASE("a child has no blocked or handled signals, and ignores neither SIGPIPE nor SIGINT") {
  struct sigaction pipe_before {
  }, interrupt_before{}, user_before{}, action{};
  action.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &action, &pipe_before);
  ::sigaction(SIGINT, &action, &interrupt_before);
  action.sa_handler = [](int) {};
  ::sigaction(SIGUSR1, &action, &user_before);
  sigset_t one, before, after;
  ::sigemptyset(&one);
  ::sigaddset(&one, SIGUSR2);
  ::pthread_sigmask(SIG_BLOCK, &one, &before);
  const std::string status =
      output_of({.argv = {"sed", "-n", "s/^Sig\\(Blk\\|Ign\\|Cgt\\)://p", "/proc/self/status"}});
  ::pthread_sigmask(SIG_SETMASK, &before, &after);
  ::sigaction(SIGPIPE, &pipe_before, nullptr);
  ::sigaction(SIGINT, &interrupt_before, nullptr);
  ::sigaction(SIGUSR1, &user_before, nullptr);
  std::istringstream numbers(status);
  std::uint64_t blocked = 1, ignored = ~0ULL, caught = 1;
  numbers >> std::hex >> blocked >> ignored >> caught;
  CHECK(blocked == 0);
  CHECK((ignored & (1U << (SIGPIPE - 1) | 1U << (SIGINT - 1))) == 0);
  CHECK(caught == 0);
  CHECK(::sigismember(&after, SIGUSR2) == 1);  // this process has its own mask again
  CHECK(::sigismember(&after, SIGTERM) == 0);
}

TEST_CASE("a child leads a process group, which ends with the object") {
  std::optional<Subprocess> child;
  child.emplace(Program{.argv = {"sh", "-c", "sleep 60 & echo $!; wait"}});
  while (child->output().text().empty()) child->wait(10ms);
  const pid_t leader = child->pid();
  const pid_t other = std::stoi(std::string(child->output().text()));
  CHECK(::getpgid(leader) == leader);
  CHECK(::getpgid(other) == leader);
  CHECK(::getpgid(0) != leader);
  child.reset();
  CHECK(::kill(leader, 0) != 0);  // reaped
  CHECK(ends_within(other, 2s));
}

TEST_CASE("a child dies with its parent, however that dies") {
  const Pipe pipe;
  const pid_t helper = ::fork();
  REQUIRE(helper >= 0);
  if (helper == 0) {
    const Subprocess child({.argv = {"sleep", "60"}});
    const pid_t pid = child.pid();
    if (::write(pipe.write_end.get(), &pid, sizeof pid) == sizeof pid) ::pause();
    ::_exit(1);
  }
  pid_t pid = -1;
  REQUIRE(::read(pipe.read_end.get(), &pid, sizeof pid) == sizeof pid);
  REQUIRE(pid > 0);
  CHECK_FALSE(has_ended(pid));
  ::kill(helper, SIGKILL);
  ::waitpid(helper, nullptr, 0);
  CHECK(ends_within(pid, 2s));
}

TEST_CASE("a child dies with the thread that started it", "[threads]") {
  std::optional<Subprocess> child;
  std::thread([&] { child.emplace(Program{.argv = {"sleep", "60"}}); }).join();
  CHECK(child->wait(2s));
}
