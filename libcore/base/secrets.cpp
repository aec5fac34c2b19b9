#include "base/secrets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "base/printable.hpp"
#include "base/secret_names.hpp"
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

std::vector<std::string> mask_words(std::vector<std::string> words, Withheld& withheld) {
  std::optional<std::string> holder;  // the flag whose value comes next
  for (std::string& word : words) {
    if (const auto flag = std::exchange(holder, std::nullopt); flag && !word.starts_with("--")) {
      if (!says_nothing(word)) withheld.add(*flag), word = kMask;
      continue;
    }
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const bool named = name.size() <= kLongestSecretName && std::all_of(name.begin(), name.end(), [](char c) {
                         return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
                       });
    if (named && (keeps_a_secret(name) || name == "token" || name == "KEY") && equals != std::string::npos) {
      const std::string value = word.substr(equals + 1);
      if (!says_nothing(value)) withheld.add(name), word = name + "=" + std::string(kMask);
      continue;
    }
    if (named && equals == std::string::npos && name.starts_with('-') && keeps_a_secret(name)) holder = name;
    if (name == "Bearer" || name == "Authorization:") holder = name;
    word = mask_text(word, withheld);
  }
  return words;
}

}  // namespace ringside
