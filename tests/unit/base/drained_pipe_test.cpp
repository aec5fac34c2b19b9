#include "base/drained_pipe.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "support/catch.hpp"

using namespace ringside;

namespace {

// Writes a hundred thousand lines into a pipe that keeps as `keep` says.
DrainedPipe after_many_lines(Keep keep) {
  int fds[2];
  REQUIRE(::pipe2(fds, O_CLOEXEC) == 0);
  DrainedPipe pipe{UniqueFd(fds[0]), std::move(keep)};
  UniqueFd writer(fds[1]);
  for (int i = 0; i < 100'000; ++i) {
    const std::string line = "line " + std::to_string(i) + "\n";
    REQUIRE(::write(writer.get(), line.data(), line.size()) == static_cast<ssize_t>(line.size()));
    if (i % 1000 == 0) pipe.drain();
  }
  writer.reset();
  pipe.drain();
  return pipe;
}

}  // namespace

TEST_CASE("of what comes through a pipe the end is kept, however much it was") {
  const DrainedPipe pipe = after_many_lines(Keep::tail(65536));
  CHECK(pipe.text().size() == 65536);
  CHECK(pipe.last_lines(2) == std::vector<std::string>{"line 99998", "line 99999"});
  CHECK(pipe.fd() == -1);
}

TEST_CASE("or the beginning is kept, or all is handed on") {
  CHECK(after_many_lines(Keep::head(13)).text() == "line 0\nline 1");
  std::string all;
  const Keep hand_on = Keep::hand_to([&](std::string_view chunk) { all += chunk; });
  CHECK(after_many_lines(hand_on).text().empty());
  CHECK(all.size() == 1'088'890);
  CHECK(all.ends_with("\nline 99999\n"));
}

TEST_CASE("a writer that never ends does not hold up the reader") {
  UniqueFd zeros(::open("/dev/zero", O_RDONLY | O_CLOEXEC));
  DrainedPipe pipe(std::move(zeros), Keep::tail(10));
  CHECK(pipe.drain() >= 1 << 20);
  CHECK(pipe.text() == std::string(10, '\0'));
}
