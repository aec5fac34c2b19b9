#include "rank/output_tail.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <thread>

#include "support/catch.hpp"

using namespace ringside;

TEST_CASE("of what a rank prints the end is kept, however much it was") {
  int fds[2];
  REQUIRE(::pipe2(fds, O_CLOEXEC) == 0);
  ::fcntl(fds[0], F_SETFL, O_NONBLOCK);
  OutputTail tail{UniqueFd(fds[0])};
  UniqueFd writer(fds[1]);
  std::string line;
  for (int i = 0; i < 100'000; ++i) {
    line = "line " + std::to_string(i) + "\n";
    REQUIRE(::write(writer.get(), line.data(), line.size()) == static_cast<ssize_t>(line.size()));
    if (i % 1000 == 0) tail.drain();
  }
  writer.reset();
  tail.drain();
  CHECK(tail.text().size() <= 2 * OutputTail::kKeep);
  CHECK(tail.last_lines(2) == std::vector<std::string>{"line 99998", "line 99999"});
  CHECK(tail.fd() == -1);
}
