#include "served/log_file.hpp"

#include <fstream>

#include "base/errors.hpp"
#include "served/gzip_reader.hpp"
#include "served/utf16.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace ringside;
using Catch::Matchers::ContainsSubstring;

namespace {

class Collector final : public LogConsumer {
 public:
  void take(const LogLine& line) override { lines.push_back(std::to_string(line.number) + " " + line.text); }
  bool takes_any() const override { return true; }
  std::vector<std::string> lines;
};

struct Read {
  std::vector<std::string> lines, notes;
};

Read read(const std::string& bytes) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "log").string();
  std::ofstream(path, std::ios::binary) << bytes;
  Collector collector;
  LogStream stream({"ready"}, collector);
  Read result;
  result.notes = read_log_file(path, stream);
  for (std::string& note : stream.notes()) result.notes.push_back(std::move(note));
  result.lines = collector.lines;
  return result;
}

// "one\ntwo\n", packed by gzip -n (a stored time of 0).
const std::string kPacked(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\xcf\x4b\xe5\x2a\x29\xcf\xe7\x02"
    "\x00\xe6\x0b\xba\x12\x08\x00\x00\x00",
    28);
const std::vector<std::string> kTwo = {"1 one", "2 two"};

std::string utf16(const std::string& text, bool big) {
  std::string wide;
  for (const char c : text) wide += big ? std::string("\0", 1) + c : c + std::string("\0", 1);
  return wide;
}

}  // namespace

TEST_CASE("a log is read packed by gzip, also in several members, as UTF-16 and as UTF-8 with a mark") {
  CHECK(read("one\ntwo\n").lines == kTwo);
  CHECK(read(kPacked).lines == kTwo);
  CHECK(read(kPacked + kPacked).lines.size() == 4);
  CHECK(read("\xEF\xBB\xBFone\ntwo\n").lines == kTwo);
  CHECK(read("\xFF\xFE" + utf16("one\ntwo\n", false)).lines == kTwo);
  CHECK(read("\xFE\xFF" + utf16("one\ntwo\n", true)).lines == kTwo);
  CHECK(read(utf16("one\ntwo\n", false)).lines == kTwo);
  CHECK(read("\xFF\xFE" + std::string("\x3D\xD8\x00\xDE", 4)).lines ==
        std::vector<std::string>{"1 \xF0\x9F\x98\x80"});
}

TEST_CASE("what of a packed log can't be read is said, and what came before it is read") {
  const Read cut = read(kPacked + kPacked.substr(0, 24));
  CHECK(cut.lines.size() >= 2);
  REQUIRE(cut.notes.size() == 1);
  CHECK_THAT(cut.notes.front(), ContainsSubstring("cut off"));
  std::string damaged = kPacked;
  damaged[20] = 'x';  // in the checksum
  CHECK_THAT(read(damaged).notes.at(0), ContainsSubstring("damaged"));
  CHECK_THROWS_WITH(read("\x1f\x8bnothing"), ContainsSubstring("broken gzip"));
}

TEST_CASE("a stretch of NUL bytes, as a rotation by truncation leaves it, is left out and said") {
  const Read found = read(std::string(5000, '\0') + "one\nt" + std::string(300, '\0') + "wo\n");
  CHECK(found.lines == kTwo);
  REQUIRE(found.notes.size() == 1);
  CHECK_THAT(found.notes.front(), ContainsSubstring("5300 NUL bytes"));
}

TEST_CASE("a line that is cut is said, with its number, and what stands at its end is read") {
  for (const std::size_t size : {std::size_t{70'000}, std::size_t{5'000'000}}) {
    const Read found = read("one\n" + std::string(size, 'x') + "the end\nthree\n");
    REQUIRE(found.lines.size() == 3);
    CHECK(found.lines[1].ends_with("xthe end"));
    CHECK(found.lines[1].size() < 66'000);
    REQUIRE(found.notes.size() == 1);
    CHECK_THAT(found.notes.front(), ContainsSubstring("line 2"));
  }
  CHECK(read("one\ntwo\n").notes.empty());
}

TEST_CASE("lines before the one that is taken come with their numbers") {
  class Looking final : public LogConsumer {
   public:
    void take(const LogLine& line) override {
      if (line.text == "ready") before = stream->lines_before(2);
    }
    LogStream* stream = nullptr;
    std::vector<LogLine> before;
  };
  Looking looking;
  LogStream stream({"ready"}, looking);
  looking.stream = &stream;
  stream.feed("a\nb\n\nc\nready\n");
  REQUIRE(looking.before.size() == 2);
  CHECK((looking.before[0].text == "b" && looking.before[0].number == 2));
  CHECK((looking.before[1].text == "c" && looking.before[1].number == 4));
}
