#include "base/output_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "base/errors.hpp"
#include "base/fd.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace ringside;

TEST_CASE("an output that is only opened changes nothing") {
  const TemporaryFolder folder;
  const auto old = folder.write("old.json", "old");
  OutputFile(old.string());
  OutputFile((folder.path() / "new.json").string());
  CHECK(folder.read("old.json") == "old");
  CHECK(folder.count() == 1);
}

TEST_CASE("each write replaces the whole file and leaves nothing beside it") {
  const TemporaryFolder folder;
  OutputFile output((folder.path() / "out.json").string());
  CHECK(output.replaceable());
  output.write("a longer first version");
  output.write("second");
  CHECK(folder.read("out.json") == "second");
  CHECK(folder.count() == 1);
}

TEST_CASE("a reader that has the file open keeps the old content") {
  const TemporaryFolder folder;
  const auto path = folder.write("out.json", "old");
  const UniqueFd reader(::open(path.c_str(), O_RDONLY));
  OutputFile(path.string()).write("new");
  char text[8] = {};
  CHECK(::read(reader.get(), text, sizeof text) == 3);
  CHECK(std::string(text) == "old");
}

TEST_CASE("the mode of a file that is replaced stays") {
  const TemporaryFolder folder;
  const auto path = folder.write("out.json", "old");
  REQUIRE(::chmod(path.c_str(), 0640) == 0);
  OutputFile(path.string()).write("new");
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0640);
}

TEST_CASE("a symbolic link is followed, also to a file that is not there yet") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "deep");
  std::filesystem::create_symlink("deep/target.json", folder.path() / "link.json");
  OutputFile((folder.path() / "link.json").string()).write("text");
  CHECK(folder.read("deep/target.json") == "text");
  CHECK(std::filesystem::is_symlink(folder.path() / "link.json"));
}

TEST_CASE("a FIFO is written in place") {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "pipe";
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  const UniqueFd reader(::open(path.c_str(), O_RDONLY | O_NONBLOCK));
  OutputFile output(path);
  CHECK_FALSE(output.replaceable());
  output.write("text");
  char text[8] = {};
  CHECK(::read(reader.get(), text, sizeof text) == 4);
  CHECK(std::filesystem::is_fifo(path));
}

TEST_CASE("what can't be written is refused when it is opened") {
  const TemporaryFolder folder;
  CHECK_THROWS_AS(OutputFile(""), UsageError);
  CHECK_THROWS_AS(OutputFile(folder.path().string()), UsageError);
  CHECK_THROWS_AS(OutputFile((folder.path() / "missing" / "out.json").string()), UsageError);
  CHECK_THROWS_AS(OutputFile((folder.write("file", "") / "out.json").string()), UsageError);
  std::filesystem::create_symlink("loop", folder.path() / "loop");
  CHECK_THROWS_AS(OutputFile((folder.path() / "loop").string()), UsageError);
}

TEST_CASE("a full device is an error of the environment") {
  OutputFile output("/dev/full");
  CHECK_THROWS_AS(output.write("text"), EnvironmentError);
}

TEST_CASE("a closed pipe is an error of the environment") {
  int fds[2];
  REQUIRE(::pipe(fds) == 0);
  ::close(fds[0]);
  const UniqueFd writer(fds[1]);
  std::signal(SIGPIPE, SIG_IGN);
  CHECK_THROWS_AS(write_all(writer.get(), "text", "pipe"), EnvironmentError);
  std::signal(SIGPIPE, SIG_DFL);
}

TEST_CASE("what a killed process has left beside an output goes with the next one") {
  const TemporaryFolder folder;
  const pid_t gone = ::fork();
  if (gone == 0) ::_exit(0);
  ::waitpid(gone, nullptr, 0);
  folder.write(".ringside-" + std::to_string(gone) + "-0.tmp", "half");
  folder.write(".ringside-" + std::to_string(::getpid()) + "-0.tmp", "of a process that runs");
  folder.write(".ringside-notes.tmp", "somebody's");
  const auto held = folder.write(".ringside-" + std::to_string(gone) + "-1.tmp", "of another container");
  const UniqueFd lock(::open(held.c_str(), O_RDONLY));
  ::flock(lock.get(), LOCK_SH);
  OutputFile((folder.path() / "out.json").string());
  CHECK(folder.count() == 3);
  CHECK_FALSE(std::filesystem::exists(folder.path() / (".ringside-" + std::to_string(gone) + "-0.tmp")));
}

TEST_CASE("a file beyond its limit is an error of the environment, and leaves nothing") {
  const TemporaryFolder folder;
  const pid_t limited = ::fork();
  if (limited == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100, 100};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      OutputFile((folder.path() / "out.json").string()).write(std::string(1000, 'x'));
    } catch (const EnvironmentError& problem) {
      ::_exit(std::string(problem.what()).ends_with("File too large") ? 3 : 4);
    }
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(limited, &status, 0) == limited);
  CHECK(WEXITSTATUS(status) == 3);
  CHECK(folder.count() == 0);
}

TEST_CASE("an output that is also read is known by whatever name") {
  const TemporaryFolder folder;
  const auto path = folder.write("in.json", "text");
  std::filesystem::create_hard_link(path, folder.path() / "hard.json");
  std::filesystem::create_symlink(path, folder.path() / "link.json");
  const UniqueFd open(::open(path.c_str(), O_RDWR));
  const std::string by_number = "/proc/self/fd/" + std::to_string(open.get());
  const std::string dotted = (folder.path() / "." / ".." / folder.path().filename() / "in.json").string();
  for (const std::string& name : {path.string(), (folder.path() / "hard.json").string(),
                                  (folder.path() / "link.json").string(), by_number, dotted}) {
    INFO(name);
    CHECK(OutputFile(name).overwrites(path.string()));
    CHECK(OutputFile(path.string()).overwrites(name));
    CHECK(OutputFile(path.string()).same_target(OutputFile(name)));
  }
  CHECK_FALSE(OutputFile((folder.path() / "new.json").string()).overwrites(path.string()));
  CHECK_FALSE(OutputFile(path.string()).overwrites((folder.path() / "none.json").string()));
}

TEST_CASE("two names of one file are the same target") {
  const TemporaryFolder folder;
  const auto path = folder.write("out.json", "old");
  std::filesystem::create_hard_link(path, folder.path() / "hard.json");
  std::filesystem::create_symlink("new.json", folder.path() / "link.json");
  const OutputFile file(path.string());
  CHECK(file.same_target(OutputFile((folder.path() / "hard.json").string())));
  CHECK(OutputFile((folder.path() / "new.json").string())
            .same_target(OutputFile((folder.path() / "link.json").string())));
  CHECK_FALSE(file.same_target(OutputFile((folder.path() / "new.json").string())));
}
