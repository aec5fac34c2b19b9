#include "base/secrets.hpp"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/catch.hpp"

using namespace ringside;

namespace {

std::string masked(const std::string& text) {
  Withheld withheld;
  return mask_text(text, withheld);
}

}  // namespace

TEST_CASE("Of commands, scripts, logs and environments no secret is left, and nothing else is lost") {
  std::ifstream file(std::filesystem::path(RINGSIDE_TESTS_DIR) / "data/secrets/corpus.json");
  const auto corpus = nlohmann::json::parse(file);
  CHECK(corpus.size() == 60);
  for (const auto& entry : corpus) {
    const std::string text = entry.at("text");
    INFO(text);
    Withheld withheld;
    const std::string shown = mask_text(text, withheld);
    INFO(shown);
    CHECK_FALSE(withheld.empty());
    for (const std::string secret : entry.at("secrets")) CHECK(shown.find(secret) == std::string::npos);
    for (const std::string kept : entry.at("kept")) CHECK(shown.find(kept) != std::string::npos);
    Withheld again;
    CHECK(mask_text(shown, again) == shown);
    CHECK(again.empty());
  }
}

TEST_CASE("What only looks like a secret stays") {
  for (const char* text :
       {"--model-path org/key-lm --tokenizer-path org/secret-sauce --max-total-tokens 4096 --keep-alive 3",
        "Prefill batch. #new-token: 6, #cached-token: 0, token usage: 0.01, EOS token: </s>",
        "bos_token='<s>', eos_token_id=2, num_key_value_heads=8, sort_key=name, cache_key: abc, key=5",
        "first_pass=1 status pass pass=3; the password is required; author=me monkey=1 KeyError: 'key'",
        "https://host.example/org/lm?rev=main git@github.com:a/b.git ssh://git@github.com/a/b a@b",
        "--api-key $API_KEY --api-key --tp 8 HF_TOKEN= api_key=None, api_key='' HF_TOKEN=${HF_TOKEN}",
        "sk-small hf_t5 org/hf_model AKIA eyJ ----------------------------------------------------"})
    CHECK(masked(text) == text);
}

TEST_CASE("The words of a command are masked one by one, and what was left out is said") {
  Withheld withheld;
  CHECK(mask_words({"ringside", "trace-init", "--", "HF_TOKEN=a b", "python", "--api-key", "x", "--api-key=y",
                    "--model-path", "org/lm", "bash -c 'X_KEY=z run'", "Bearer", "w", "--api-key", "--tp"},
                   withheld) == std::vector<std::string>{"ringside", "trace-init", "--", "HF_TOKEN=***",
                                                         "python", "--api-key", "***", "--api-key=***",
                                                         "--model-path", "org/lm", "bash -c 'X_KEY=*** run'",
                                                         "Bearer", "***", "--api-key", "--tp"});
  CHECK(describe(withheld, "the command line") ==
        "5 values that may be secret were left out of the command line: HF_TOKEN, --api-key, X_KEY, Bearer");
}

TEST_CASE("Masking takes time in proportion to the text") {
  for (const std::string piece :
       {"api_key='", "--api-key \\", "://", "\"\\\\\\\"", "HF_TOKEN=\"", "Bearer ", "----"}) {
    std::string text;
    while (text.size() < 300'000) text += piece;
    INFO(piece);
    CHECK(masked(text).size() < 2 * text.size());
  }
}
