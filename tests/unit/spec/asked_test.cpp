#include "spec/asked.hpp"

#include <functional>

#include "base/errors.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

std::string problem(const std::function<void()>& action) {
  try {
    action();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("batches and contexts are lists and ranges") {
  CHECK(parse_batches("8") == std::vector<int>{8});
  CHECK(parse_batches("1:64:x2") == std::vector<int>{1, 2, 4, 8, 16, 32, 64});
  CHECK(parse_contexts("1K:16K:x4") == std::vector<double>{1024, 4096, 16384});
}

TEST_CASE("batches and contexts that can't be are refused in one line") {
  for (const char* bad : {"", "0", "-1", "x", "8,4", "1.5", "1:9999999:x2", "9999999"}) {
    CAPTURE(bad);
    const std::string text = problem([&] { parse_batches(bad); });
    CHECK_FALSE(text.empty());
    CHECK(text.find('\n') == std::string::npos);
    CHECK(text.find("message") == std::string::npos);
  }
}

TEST_CASE("a typed speed is plain unless it names drafts") {
  const SpeedReading plain = parse_observation("batch=8,tokens_s=455");
  CHECK_FALSE(plain.speculative);
  CHECK(*plain.batch == 8);
  CHECK(*plain.tokens_s == 455);
  const SpeedReading with = parse_observation("batch=8, drafts=3, tokens_s=372, length=2.4, context=2K");
  CHECK(with.speculative);
  CHECK(*with.arguments.draft_steps == 3);
  CHECK(*with.length == 2.4);
  CHECK(*with.context == 2048);
  CHECK_FALSE(parse_observation("batch=8,drafts=0,tokens_s=455").speculative);
}

TEST_CASE("a typed speed of a tree keeps its width and its candidates") {
  const SpeedReading chain = parse_observation("batch=8,drafts=4,tokens_s=372");
  CHECK(*chain.arguments.draft_width == 1);
  CHECK(*chain.arguments.verify_rows == 5);
  const SpeedReading tree = parse_observation("batch=8,drafts=4,top_k=4,candidates=16,tokens_s=372");
  CHECK(*tree.arguments.draft_width == 4);
  CHECK(*tree.arguments.verify_rows == 16);
}

TEST_CASE("a typed speed that can't be is refused in one line that names what is wrong") {
  const std::pair<const char*, const char*> bad[] = {{"tokens_s=455", "batch"},
                                                     {"batch=8", "tokens_s"},
                                                     {"batch=0,tokens_s=4", "batch"},
                                                     {"batch=8.5,tokens_s=4", "batch"},
                                                     {"batch=8,tokens_s=-4", "tokens_s"},
                                                     {"batch=8,tokens_s=nan", "tokens_s"},
                                                     {"batch=8,tokens_s=4,length=2", "drafts"},
                                                     {"batch=8,tokens_s=4,candidates=16", "drafts"},
                                                     {"batch=8,tokens_s=4,drafts=1,length=2.5", "length"},
                                                     {"batch=8,batch=9,tokens_s=4", "twice"},
                                                     {"batch=8,token_s=4", "did you mean 'tokens_s'"},
                                                     {"batch=8,tokens_s", "NAME=VALUE"},
                                                     {"batch=8,tokens_s=4,context=0", "context"}};
  for (const auto& [text, word] : bad) {
    CAPTURE(text);
    const std::string said = problem([&text = text] { parse_observation(text); });
    CHECK(said.find(word) != std::string::npos);
    CHECK(said.find('\n') == std::string::npos);
  }
}

TEST_CASE("acceptance is a length, a rate below 1 or shares by position") {
  CHECK(parse_acceptance_input("2.4", 3).length->value == 2.4);
  CHECK(parse_acceptance_input("0.7", 3).rate->value == 0.7);
  CHECK(parse_acceptance_input("0.8,0.6,0.45", 3).rates == std::vector<double>{0.8, 0.6, 0.45});
  CHECK(names_published_acceptance("golden:kimi-k2.5"));
  for (const char* bad : {"4.5", "0.5,0.6", "x", "-1", "0.5,1.2", "", "nan"}) {
    CAPTURE(bad);
    CHECK_FALSE(problem([&] { parse_acceptance_input(bad, 3); }).empty());
  }
}
