#include "served/log_stream.hpp"
#include "served/log_file.hpp"

#include "base/errors.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace ringside;

namespace {

class Collector final : public LogConsumer {
 public:
  void take(const LogLine& line) override { lines.push_back(line); }
  bool takes_any() const override { return greedy; }

  // The lines that hold the text, as a consumer may get others.
  std::vector<std::string> with(const std::string& text) const {
    std::vector<std::string> found;
    for (const LogLine& line : lines)
      if (line.text.find(text) != std::string::npos)
        found.push_back(std::to_string(line.number) + " " + line.text);
    return found;
  }

  std::vector<LogLine> lines;
  bool greedy = false;
};

Collector collect(const std::string& log, std::size_t piece = 1 << 20) {
  Collector collector;
  LogStream stream({"ready", "Decode batch"}, collector);
  for (std::size_t at = 0; at < log.size(); at += piece) stream.feed(std::string_view(log).substr(at, piece));
  stream.finish();
  return collector;
}

}  // namespace

TEST_CASE("lines with one of the texts come with their number, however the log is cut into pieces") {
  const std::string log = "a\nb ready\n\nc\nDecode batch 1\nnot it\nready";
  for (const std::size_t piece : {1, 2, 3, 7, 100}) {
    CAPTURE(piece);
    const Collector found = collect(log, piece);
    CHECK(found.with("ready") == std::vector<std::string>{"2 b ready", "7 ready"});
    CHECK(found.with("Decode") == std::vector<std::string>{"5 Decode batch 1"});
  }
  CHECK(collect(log).lines.size() == 3);
}

TEST_CASE("a consumer that takes any line gets all of them") {
  Collector collector;
  collector.greedy = true;
  LogStream stream({"ready"}, collector);
  stream.feed("a\n\nb\nc");
  stream.finish();
  CHECK(collector.with("") == std::vector<std::string>{"1 a", "2 ", "3 b", "4 c"});
  CHECK(stream.lines() == 4);
}

TEST_CASE("lines come without colours and carriage returns") {
  CHECK(collect("\x1b[31mready\x1b[0m at\x1b[1;32m 5\x1b[0m\r\n").with("ready") ==
        std::vector<std::string>{"1 ready at 5"});
}

TEST_CASE("an endless line is cut and hides nothing behind it") {
  const std::string log = "ready " + std::string(1'000'000, 'x') + "\nDecode batch\n";
  for (const std::size_t piece : {std::size_t{1000}, std::size_t{65536}, log.size()}) {
    CAPTURE(piece);
    const Collector found = collect(log, piece);
    CHECK(found.with("Decode") == std::vector<std::string>{"2 Decode batch"});
    for (const LogLine& line : found.lines) CHECK(line.text.size() <= std::size_t{64} << 10);
  }
}

TEST_CASE("the last lines are kept though nobody asked for them") {
  Collector collector;
  LogStream stream({"ready"}, collector);
  for (int i = 1; i <= 20; ++i) stream.feed("line " + std::to_string(i) + "\n");
  stream.feed("no \x01newline");
  stream.finish();
  REQUIRE(stream.last_lines().size() == 8);
  CHECK(stream.last_lines().front() == "line 14");
  CHECK(stream.last_lines().back().find('\x01') == std::string::npos);
  CHECK(collector.with("ready").empty());
  CHECK(stream.lines() == 21);
}

TEST_CASE("what is no text, and what can't be read, is refused by its name") {
  Collector collector;
  LogStream stream({"ready"}, collector);
  CHECK_THROWS_AS(stream.feed(std::string("\x1f\x8b\0\0", 4)), UsageError);
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(read_log_file((folder.path() / "none").string(), stream),
                    Catch::Matchers::ContainsSubstring("/none: No such file"));
  CHECK_THROWS_WITH(read_log_file(folder.path().string(), stream),
                    Catch::Matchers::ContainsSubstring("is a directory"));
}

TEST_CASE("which rank wrote a line stands before its own text") {
  const LogLine line{"[2026-05-04 10:00:20 DP1 TP3 EP3] Decode batch of rank 9", 1};
  CHECK(line.rank_before(line.text.find("Decode")) == "DP1 TP3 EP3");
  CHECK(line.rank_before(0).empty());
  CHECK(rank_number("DP1 TP3 EP3") == 3);
  CHECK(rank_number("DP1") == 1);
  CHECK(rank_number("") == -1);
  CHECK(rank_words("[rank5]: ") == "rank5");
  CHECK(ranks_agree("TP3", "TP3 EP3"));
  CHECK_FALSE(ranks_agree("TP3", "TP4 EP4"));
}

TEST_CASE("a text that begins with the end of the line before is found at the start of a line alone") {
  for (const std::size_t piece : {1, 4, 5, 7, 100}) {
    CAPTURE(piece);
    Collector collector;
    LogStream stream({"\nKilled"}, collector);
    const std::string log = "Killed 1\nnot Killed 2\nKilled 3\nend\n";
    for (std::size_t at = 0; at < log.size(); at += piece)
      stream.feed(std::string_view(log).substr(at, piece));
    stream.finish();
    CHECK(collector.with("Killed 1").size() == 1);
    CHECK(collector.with("Killed 3").size() == 1);
    if (piece == 100) CHECK(collector.lines.size() == 2);
  }
}
