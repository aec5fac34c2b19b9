#include "base/secrets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

#include "base/printable.hpp"
#include "base/secret_names.hpp"
#include "base/secret_text.hpp"
#include "base/text.hpp"

namespace ringside {

void Withheld::add(std::string_view name) {
  ++values;
  const std::string shown = printable(name);
  if (std::find(names.begin(), names.end(), shown) == names.end()) names.push_back(shown);
}

void Withheld::add(const Withheld& more) {
  values += more.values;
  for (const std::string& name : more.names)
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

std::string describe(const Withheld& withheld, std::string_view where) {
  constexpr std::size_t kMost = 20;
  std::vector<std::string> names = withheld.names;
  if (names.size() > kMost) {
    names.resize(kMost);
    names.push_back(fmt::format("{} more", withheld.names.size() - kMost));
  }
  return fmt::format("{} value{} that may be secret {} left out of {}: {}", withheld.values,
                     withheld.values == 1 ? "" : "s", withheld.values == 1 ? "was" : "were", where,
                     join(names, ", "));
}

namespace {

// "--admin_api-keys" -> "admin-api-keys".
std::string plain_name(std::string_view name) {
  std::string plain = lower_case(name);
  std::replace(plain.begin(), plain.end(), '_', '-');
  return plain.substr(std::min(plain.find_first_not_of('-'), plain.size()));
}

template <std::size_t N>
bool is_one_of(std::string_view word, const std::string_view (&list)[N]) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

bool ends_in_several(std::string_view plain) {
  return plain.ends_with("keys") || plain.ends_with("tokens") || plain.ends_with("passwords") ||
         plain.ends_with("passphrases") || plain.ends_with("secrets");
}

bool is_operator(std::string_view word) {
  return word.empty() || std::string_view(";|&<>").find(word.front()) != std::string_view::npos;
}

// org/name, a path, a file, a program.
bool is_positional(std::string_view word) {
  if (word.starts_with('/') || word.starts_with("./") || word.starts_with("../")) return true;
  for (const std::string_view end : {".py", ".sh", ".json", ".toml", ".yaml", ".yml", ".log"})
    if (word.ends_with(end)) return true;
  constexpr std::string_view kPrograms[] = {"bash", "sh", "env", "sglang", "vllm", "torchrun", "srun"};
  if (is_one_of(word, kPrograms) || word.starts_with("python")) return true;
  const std::size_t slash = word.find('/');
  return slash != std::string_view::npos && slash + 1 < word.size() &&
         word.find('/', slash + 1) == std::string_view::npos &&
         std::all_of(word.begin(), word.end(), [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '/' || c == '.' || c == '_' ||
                  c == '-';
         });
}

}  // namespace

bool holds_secret(std::string_view name) {
  if (keeps_a_secret(name)) return true;
  if (!name.ends_with('s') && !name.ends_with('S')) return false;
  const std::string plain = plain_name(name);
  for (const std::string_view end : {"passwords", "passphrases", "secrets", "apikeys", "authtokens"})
    if (plain.ends_with(end)) return true;
  const std::size_t dash = plain.rfind('-');
  const std::string_view last = std::string_view(plain).substr(dash == std::string::npos ? 0 : dash + 1);
  if (last != "keys" && last != "tokens") return false;
  const bool variable = std::none_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  if (dash == std::string::npos) return last == "tokens" && (name.starts_with('-') || variable);
  const std::string_view front = std::string_view(plain).substr(0, dash);
  // Most tokens and keys of a log are counted or looked up.
  constexpr std::string_view kOfAccess[] = {"api",    "access",  "secret", "admin",  "auth",   "private",
                                            "bearer", "refresh", "client", "hf",     "github", "signing",
                                            "master", "service", "router", "session"};
  return is_one_of(front.substr(front.rfind('-') + 1), kOfAccess);
}

bool is_switch(std::string_view flag) {
  if (!flag.starts_with('-')) return false;
  const std::string plain = plain_name(flag);
  constexpr std::string_view kSwitches[] = {"enable", "disable", "use", "no", "allow", "require"};
  const std::size_t dash = plain.find('-');
  return dash != std::string::npos && is_one_of(std::string_view(plain).substr(0, dash), kSwitches);
}

bool takes_several(std::string_view flag) {
  const std::string plain = plain_name(flag);
  if (!flag.starts_with('-')) return false;
  return ends_in_several(plain) || plain.ends_with("api-key") || plain.ends_with("token") ||
         plain.ends_with("password");
}

bool ends_values(std::string_view flag, std::string_view word) {
  if (word.starts_with('-') || is_operator(word)) return true;
  return !ends_in_several(plain_name(flag)) && is_positional(word);
}

std::vector<std::string> mask_words(std::vector<std::string> words, Withheld& withheld) {
  std::optional<std::string> holder;   // the flag whose value comes next
  std::optional<std::string> several;  // the flag that had a value already
  for (std::string& word : words) {
    if (const auto flag = std::exchange(several, std::nullopt); flag && !ends_values(*flag, word)) {
      if (!says_nothing(word)) withheld.add(*flag), word = kMask;
      several = flag;
      continue;
    }
    if (const auto flag = std::exchange(holder, std::nullopt); flag && !word.starts_with("--")) {
      if (!says_nothing(word)) withheld.add(*flag), word = kMask;
      if (takes_several(*flag)) several = flag;
      continue;
    }
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const bool named = name.size() <= kLongestSecretName && std::all_of(name.begin(), name.end(), [](char c) {
                         return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
                       });
    if (named && (holds_secret(name) || name == "token" || name == "tokens" || name == "KEY") &&
        equals != std::string::npos) {
      const std::string value = word.substr(equals + 1);
      if (!says_nothing(value)) withheld.add(name), word = name + "=" + std::string(kMask);
      continue;
    }
    if (named && equals == std::string::npos && name.starts_with('-') && holds_secret(name) &&
        !is_switch(name))
      holder = name;
    if (name == "Bearer" || name == "Authorization:") holder = name;
    word = mask_text(word, withheld);
  }
  return words;
}

}  // namespace ringside
