// What a message of an unknown death says about this launch, and where its words stand in a tree.
#include "trace/core/unknown_message.hpp"

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"
#include "trace/core/message_search.hpp"
#include "trace/core/tell_message.hpp"

using namespace ringside;

TEST_CASE("flags, variables and fields that a message names are told with what this launch gives them") {
  const KnownLaunch launch{{{{"page_size", Value(64)}, {"device", Value("cuda")}}},
                           {{{"NCCL_DEBUG", Value("INFO")}}}};
  CHECK(named_in_message(
            "page_size must divide --chunked-prefill-size; NCCL_DEBUG, SGLANG_X; device x; ABC_D", launch) ==
        std::vector<std::string>{"page_size, which is 64 in this launch",
                                 "--chunked-prefill-size, which this launch is not seen to set",
                                 "NCCL_DEBUG, which is 'INFO' in this launch",
                                 "SGLANG_X, which this launch is not seen to set"});
  CHECK(named_in_message("use --tp-size=2, not --tp-size.", {}) ==
        std::vector<std::string>{"--tp-size, what this launch gives it is not known"});
  CHECK(named_in_message("index 3 is out of bounds -- see above", launch).empty());
}

TEST_CASE("a message's own advice is its sentence that names what to change") {
  CHECK(advice_in_message(
            "No room. Raise --mem-fraction-static above 0.942 (least = 1 - a/b = 0.9411). Bye.") ==
        "Raise --mem-fraction-static above 0.942 (least = 1 - a/b = 0.9411)");
  CHECK(advice_in_message("broken\nset VLLM_USE_X=0 to go on") == "set VLLM_USE_X=0 to go on");
  CHECK(advice_in_message("Try again later. It uses --tp-size.") == std::nullopt);
  CHECK(advice_in_message("the --page-size was refused") == std::nullopt);
}

TEST_CASE("an unknown death is told with what its message names, its own advice and where its words stand") {
  const TemporaryFolder folder;
  folder.write("x.py",
               "def f():\n  if a < b:\n    raise E('the pages are too small for it, raise --page-size')\n");
  TraceDeath death;
  death.message = "the pages are too small for it, raise --page-size";
  Finding finding{"unknown-death", Severity::error, "E", "it died", {}, ""};
  tell_message(death, {{{{"page_size", Value(1)}}}, std::nullopt}, folder.path(), finding);
  CHECK(finding.evidence ==
        std::vector<std::string>{"the message names --page-size, which is 1 in this launch",
                                 "its words stand at x.py:3, under: if a < b:"});
  CHECK(finding.remedy == "as the message itself says: raise --page-size");
}

TEST_CASE("parts of a message are runs of words without what a format fills in") {
  CHECK(
      literal_parts("width 192 is not divisible by the block 'q'") ==
      std::vector<std::string>{"is not divisible by the", "not divisible by the", "divisible by the block"});
  CHECK(literal_parts("short 1 text 2 only").empty());
}

TEST_CASE(
    "every place of a message's words is listed with its guard, also where a literal is broken, and none is "
    "chosen") {
  const TemporaryFolder folder;
  folder.write("a.py",
               "class A:\n"
               "  def check(self):\n"
               "    if self.width % self.block:\n"
               "      for w in self.ws:\n"
               "        raise ValueError(\n"
               "            f\"The width {w} is not divisible \"\n"
               "            f\"by the size of a quantised block {b}\")\n"
               "  def other(self):\n"
               "    log(\"by the size of a quantised block\")\n");
  folder.write("b.cu", "void f() {\n  if (bad) {\n    fail(\"by the size of a quantised block\");\n  }\n}\n");
  folder.write("c.txt", "by the size of a quantised block\n");
  const MessagePlaces found =
      search_message(folder.path(), "The width 96 is not divisible by the size of a quantised block 128");
  CHECK(found.all);
  CHECK(found.files == 2);
  std::vector<std::string> places;
  for (const MessagePlace& place : found.places)
    places.push_back(place.file + ":" + std::to_string(place.line) + " " + place.guard);
  CHECK(places ==
        std::vector<std::string>{"a.py:7 if self.width % self.block:", "a.py:9 ", "b.cu:3 if (bad) {"});
}
