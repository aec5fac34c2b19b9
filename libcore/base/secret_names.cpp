#include "base/secret_names.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <vector>

#include "base/secrets.hpp"
#include "base/text.hpp"

namespace ringside {

namespace {

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

// "--admin-api-key", "adminApiKey", "ADMIN_API_KEY" -> admin, api, key.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  bool ended = true;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) {
      ended = true;
      continue;
    }
    if (ended || (is_upper(c) && is_lower(name[i - 1]))) words.emplace_back();
    ended = false;
    words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return words;
}

template <std::size_t N>
bool is_one_of(std::string_view word, const std::string_view (&list)[N]) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

constexpr std::string_view kAlways[] = {"password", "passwd",     "passphrase",  "secret",        "secrets",
                                        "apikey",   "credential", "credentials", "authorization", "cookie"};
// Of these only the end counts: PGPASSWORD, authtoken.
constexpr std::string_view kEnds[] = {"password",  "passwd",    "passphrase",  "apikey",  "secretkey",
                                      "accesskey", "authtoken", "accesstoken", "hftoken", "apitoken"};
// Tokens of text, not of access.
constexpr std::string_view kTextTokens[] = {
    "bos",     "eos",       "pad",    "unk",   "cls",         "sep",     "mask",  "image",   "img",
    "video",   "audio",     "start",  "end",   "stop",        "special", "max",   "min",     "new",
    "cached",  "num",       "per",    "next",  "last",        "first",   "draft", "accept",  "accepted",
    "verify",  "prompt",    "output", "input", "eot",         "eom",     "think", "tool",    "begin",
    "padding", "separator", "class",  "total", "each",        "single",  "one",   "decoder", "control",
    "query",   "prefill",   "decode", "by",    "placeholder", "id",      "usage", "drop",    "shared",
    "hidden",  "reasoning", "vision", "patch", "full",        "target"};
// Passes of a program.
constexpr std::string_view kPasses[] = {
    "first", "second", "forward", "backward", "prefill", "decode", "verify", "one",  "two", "single", "multi",
    "plain", "draft",  "warmup",  "warm",     "test",    "max",    "num",    "must", "can", "by"};
// Keys that are looked up, not kept.
constexpr std::string_view kLookups[] = {
    "primary", "foreign",    "sort",    "partition", "dict",  "cache",  "hash",   "public", "kv",
    "query",   "value",      "routing", "lookup",    "state", "param",  "config", "tensor", "weight",
    "layer",   "module",     "group",   "map",       "lora",  "prefix", "block",  "item",   "by",
    "missing", "unexpected", "unknown", "table",     "index", "row",    "metric", "rope"};

// Flags of servers that argparse knows by a beginning, too.
constexpr std::string_view kFlags[] = {"--api-key", "--admin-api-key", "--ssl-keyfile-password"};

bool abbreviates_a_secret(std::string_view name) {
  constexpr std::size_t kShortest = 5;  // "--api"
  return name.size() >= kShortest &&
         std::any_of(std::begin(kFlags), std::end(kFlags), [&](std::string_view flag) {
           return flag.starts_with(name) && !std::string_view("--ssl-keyfile").starts_with(name);
         });
}

// Words whose end is one of a password in a variable's name: DBPASS.
constexpr std::string_view kOtherPasses[] = {"bypass", "compass", "multipass"};

// Plug-ins take what they need, credentials among it, as one argument.
bool takes_plugin_arguments(std::string_view name) {
  std::string small = lower_case(name);
  std::replace(small.begin(), small.end(), '_', '-');
  return small.ends_with("plugin-args") || small.ends_with("plug-in-args") ||
         small.ends_with("plugin-arguments");
}

}  // namespace

bool names_secret(std::string_view name) {
  const std::vector<std::string> words = words_of(name);
  if (words.empty()) return false;
  const std::string& last = words.back();
  const std::string before = words.size() > 1 ? words[words.size() - 2] : "";
  const bool flag = name.starts_with('-');
  const bool variable = std::none_of(name.begin(), name.end(), is_lower);
  // A file, a path or a name of a secret is none; its length neither.
  constexpr std::string_view kNotTheThing[] = {"file", "path",  "dir",    "name",
                                               "id",   "count", "length", "enabled"};
  for (const std::string& word : words)
    if (is_one_of(word, kAlways) && !(word != last && is_one_of(last, kNotTheThing))) return true;
  for (const std::string_view end : kEnds)
    if (last.ends_with(end)) return true;
  if (flag && abbreviates_a_secret(lower_case(name))) return true;
  if (variable && (last == "pat" || last == "sas" || last == "webhook" || before == "webhook")) return true;
  if (variable && last.size() > 4 && last.ends_with("pass")) return !is_one_of(last, kOtherPasses);
  if (before == "conn" && (last == "str" || last == "string")) return true;
  if (last == "token") {
    if (before.empty()) return flag || variable;
    return !is_one_of(before, kTextTokens);
  }
  if (last == "key") return !before.empty() && !is_one_of(before, kLookups);
  if (before == "access" && last == "id") return false;
  if (words.size() > 2 && last == "id" && before == "key") return words[words.size() - 3] == "access";
  if (last == "pass") return (flag || variable || !before.empty()) && !is_one_of(before, kPasses);
  if (last == "pwd") return !before.empty();
  if (last == "auth") return flag || variable || !before.empty();
  if (last == "dsn") return true;
  return before == "connection" && last == "string";
}

bool keeps_a_secret(std::string_view name) {
  return names_secret(name) || takes_plugin_arguments(name);
}

bool says_nothing(std::string_view value) {
  if (value.empty() || value == kMask) return true;
  const std::string small = lower_case(value);
  for (const std::string_view word : {"none", "null", "true", "false", "nil", "~"})
    if (small == word) return true;
  if (value.front() != '$') return value == "..." || value == "<>";
  if (value.starts_with("$(") || value.find(":-") != std::string_view::npos) return false;
  const std::size_t begin = value.starts_with("${") ? 2 : 1;
  const std::size_t end = value.size() - (begin == 2 && value.back() == '}' ? 1 : 0);
  return end > begin && std::all_of(value.begin() + static_cast<std::ptrdiff_t>(begin),
                                    value.begin() + static_cast<std::ptrdiff_t>(end), [](char c) {
                                      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
                                    });
}

}  // namespace ringside
