#include "base/secrets.hpp"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/secret_text.hpp"
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
  CHECK(corpus.size() == 66);
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

TEST_CASE(
    "A flag that argparse knows by its beginning keeps its secret, and names of variables have their own "
    "endings") {
  for (const char* text : {"--api-k Zq7x", "--api Zq7x", "--admin-api Zq7x", "--admin Zq7x",
                           "--ssl-keyfile-p Zq7x", "GH_PAT=Zq7x run", "DBPASS=Zq7x run",
                           "SLACK_WEBHOOK=Zq7x run", "AZURE_SAS=Zq7x run", "CONN_STR=Zq7x run"}) {
    INFO(text);
    Withheld withheld;
    const std::string script = std::string("python -m server --tp 8 ") + text;
    CHECK(mask_text(script, withheld).find("Zq7x") == std::string::npos);
  }
  for (const char* text :
       {"--ssl-keyfile /etc/key.pem", "--ssl-certfile a.pem", "BYPASS=1 run", "PATH=/bin run"})
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

TEST_CASE("Every known token and every name of a query is masked alone") {
  for (const TokenShape& shape : kTokenShapes) {
    std::string token(shape.begin);
    for (std::size_t i = 0; i < shape.least; ++i) token += i % 2 == 0 ? 'Q' : '7';
    INFO(token);
    CHECK(masked(token) == "***");
    CHECK(masked("x '" + token + "'") == "x '***'");
  }
  for (const std::string_view name : kQueryNames) {
    const std::string query = "?" + std::string(name) + "=";
    CHECK(masked(query + "hunter2") == query + "***");
  }
  CHECK(masked("?x-goog-signature=abc") == "?x-goog-signature=***");
}

TEST_CASE("A token has digits or both cases, an identifier has words") {
  CHECK(masked("hf_AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGh") == "***");  // as most of them are
  for (const char* text : {"hf_hub_download_with_retries", "hf_hub_download_with_2_retries_of_3",
                           "hf_transferisenabledbydefault", "ghs_install_all_of_the_packages_1",
                           "github_pat_is_not_given_here_at_all", "nvapi-endpoint-of-the-server-here",
                           "pypi-some-package-with-a-very-long-name", "AKIA_is_the_begin_of_an_access_key_1",
                           "sk-SomeModelWithAVeryLongNameOfWords"})
    CHECK(masked(text) == text);
}

TEST_CASE("Passwords of URLs may have what ends a host, and what only looks like a user stays") {
  CHECK(masked("redis://:pa,ss@host") == "redis://***@host");
  CHECK(masked("redis://:pa/s@s#w?o,rd@host:1/0") == "redis://***@host:1/0");
  CHECK(masked("https://u:p#a/b@host.example/x") == "https://***@host.example/x");
  CHECK(masked("http://u:p@h1.a,http://v:q@h2.a") == "http://***@h1.a,http://***@h2.a");
  CHECK(masked("git+https://u:p@github.com/o/r@main") == "git+https://***@github.com/o/r@main");
  for (const char* text : {"http://a/b@c", "http://a:80/b@c", "http://a?x=b@c", "http://[::1]:80/b@c",
                           "http://a,b@c", "https://host.example/a, me@example.org"})
    CHECK(masked(text) == text);
}

TEST_CASE("Lists of secrets are masked to their end") {
  CHECK(masked("--api-key k1 k2 'k 3' --tp 8") == "--api-key *** *** '***' --tp 8");
  CHECK(masked("--api-keys k1 \\\n  a/b --tp 8") == "--api-keys *** \\\n  *** --tp 8");
  CHECK(masked("--api-key k1 org/lm") == "--api-key *** org/lm");
  CHECK(masked("--api-key k1 2>&1 | tee x") == "--api-key *** 2>&1 | tee x");
  CHECK(masked("--api-key $A k2; ls") == "--api-key $A ***; ls");
  CHECK(masked("--hf-token-dir d1 d2, then --api-key k1 is given") ==
        "--hf-token-dir d1 d2, then --api-key *** is given");
  CHECK(masked(R"(["--api-key", "k1", "k2", "--tp", "8"])") == R"(["--api-key", "***", "***", "--tp", "8"])");
  CHECK(masked("api_key=['k1', 'k]2'], tp=8") == "api_key=['***'], tp=8");
  CHECK(masked("api_keys: [k1, k2]\ntp: 8") == "api_keys: [***]\ntp: 8");
  CHECK(masked(R"({"api_key": ["k1", "k2"], "tp": 8})") == R"({"api_key": ["***"], "tp": 8})");
  CHECK(masked("API_KEYS=a,b --access-tokens x --passwords y --secrets z") ==
        "API_KEYS=*** --access-tokens *** --passwords *** --secrets ***");
  for (const char* text : {"max_num_batched_tokens=16384 --max-num-batched-tokens 16384 tokens: 512",
                           "missing_keys=['a', 'b'] --stop-tokens x api_key=[]"})
    CHECK(masked(text) == text);

  Withheld withheld;
  const auto words = [&](std::vector<std::string> given) { return mask_words(std::move(given), withheld); };
  using Words = std::vector<std::string>;
  CHECK(words({"--api-key", "k1", "k2", "--tp", "8"}) == Words{"--api-key", "***", "***", "--tp", "8"});
  CHECK(words({"--api-key", "k1", "org/lm", "x"}) == Words{"--api-key", "***", "org/lm", "x"});
  CHECK(words({"--token", "k1", "python3", "-m", "x"}) == Words{"--token", "***", "python3", "-m", "x"});
  CHECK(words({"--api-keys", "a/b", "c/d", "-x", "y"}) == Words{"--api-keys", "***", "***", "-x", "y"});
  CHECK(words({"--tokens", "a", "b", "--passwords", "c", "d", "--db-secrets", "e", "f"}) ==
        Words{"--tokens", "***", "***", "--passwords", "***", "***", "--db-secrets", "***", "***"});
  CHECK(words({"--auth", "k1", "server"}) == Words{"--auth", "***", "server"});  // of one value
}

TEST_CASE("A switch takes no value") {
  for (const std::string flag : {"--enable-auth", "--disable-api-key", "--use-auth-token", "--no-password",
                                 "--allow-empty-password", "--require_api_key"}) {
    Withheld withheld;
    CHECK(mask_words({flag, "org/lm"}, withheld) == std::vector<std::string>{flag, "org/lm"});
    CHECK(masked(flag + " org/lm") == flag + " org/lm");
    CHECK(masked(flag + "=hunter2") == flag + "=***");
  }
}

TEST_CASE("Masking takes time in proportion to the text") {
  for (const std::string piece :
       {"api_key='", "--api-key \\", "://", "\"\\\\\\\"", "HF_TOKEN=\"", "Bearer ", "----", "api_key=[",
        "api_key=['", "a://:x,", "--api-key k1 ", "\"--api-key\", \"k\", "}) {
    std::string text;
    while (text.size() < 300'000) text += piece;
    INFO(piece);
    CHECK(masked(text).size() < 2 * text.size());
  }
}
