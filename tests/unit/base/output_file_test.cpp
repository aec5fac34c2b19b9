#include "base/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
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
