#include "served/model/name_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.hpp"

namespace ringside {
namespace {

constexpr std::size_t kMostExpression = 200;
constexpr int kMostExpressions = 64;
constexpr int kMostRepeats = 4;
constexpr std::string_view kLayers = "layers.";

// What stands before "layers." differs by family and means nothing here; "mtp." does.
std::string without_prefix(std::string_view name) {
  for (bool cut = true; cut;) {
    cut = false;
    for (const std::string_view prefix :
         {"model.", "language_model.", "backbone.", "transformer.", "text_model."}) {
      if (!name.starts_with(prefix)) continue;
      name.remove_prefix(prefix.size());
      cut = true;
    }
  }
  return std::string(name);
}

// 12 for "layers.12.mlp", when the number is whole; -1 for others.
int layer_number(std::string_view text) {
  if (!text.starts_with(kLayers)) return -1;
  int number = 0;
  std::size_t at = kLayers.size();
  for (; at < text.size() && at < kLayers.size() + 5 && std::isdigit(static_cast<unsigned char>(text[at]));
       ++at)
    number = number * 10 + (text[at] - '0');
  const bool whole = at > kLayers.size() && (at == text.size() || text[at] == '.');
  return whole ? number : -1;
}

// '*' stands for any letters.
bool matches_glob(std::string_view pattern, std::string_view name) {
  std::size_t at = 0;
  std::size_t read = 0;
  std::size_t star = std::string_view::npos;
  std::size_t retry = 0;
  while (read < name.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      retry = read;
    } else if (at < pattern.size() && pattern[at] == name[read]) {
      ++at;
      ++read;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      read = ++retry;
    } else {
      return false;
    }
  }
  while (at < pattern.size() && pattern[at] == '*') ++at;
  return at == pattern.size();
}

// "gate" in "mlp.gate", not in "mlp.gate_proj".
bool has_part(std::string_view name, std::string_view part) {
  for (std::size_t at = name.find(part); at != std::string_view::npos; at = name.find(part, at + 1)) {
    const std::size_t end = at + part.size();
    if ((at == 0 || name[at - 1] == '.') && (end == name.size() || name[end] == '.')) return true;
  }
  return false;
}

// Calls `test` with "a", "a.b", "a.b.c" until it says yes.
template <class Test>
bool any_ancestor(std::string_view name, const Test& test) {
  for (std::size_t end = name.find('.'); end != std::string_view::npos; end = name.find('.', end + 1))
    if (test(name.substr(0, end))) return true;
  return test(name);
}

// The names that files may have for it.
std::vector<std::string> full_names(const MatrixName& matrix) {
  std::vector<std::string> list;
  for (const std::string& name : split(matrix.names, '|')) {
    if (matrix.draft >= 0) list.push_back(fmt::format("mtp.layers.{}.{}", matrix.draft, name));
    list.push_back(matrix.layer >= 0 ? fmt::format("layers.{}.{}", matrix.layer, name) : name);
  }
  return list;
}

bool is_harmless(const std::string& expression) {
  if (expression.size() > kMostExpression || expression.find('{') != std::string::npos) return false;
  int repeats = 0;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    const char c = expression[i];
    if (c == '\\' && i + 1 < expression.size()) {
      if (std::isdigit(static_cast<unsigned char>(expression[i + 1]))) return false;
      ++i;
    } else if (c == '*' || c == '+') {
      if (i > 0 && expression[i - 1] == ')') return false;
      ++repeats;
    }
  }
  return repeats <= kMostRepeats;
}

}  // namespace

void NameRules::add_expression(const std::string& text, const StoredAs& stored, ReadingNotes& notes) {
  if (++expressions_ > kMostExpressions || !is_harmless(text)) {
    notes.doubt(fmt::format("the expression '{}' that chooses quantised modules isn't read",
                            first_letters(text, kMostExpression)));
    return;
  }
  try {
    patterns_.push_back(
        {.text = "",
         .expression = std::regex(text),
         .has_digits = std::ranges::any_of(text, [](unsigned char c) { return std::isdigit(c); }),
         .stored = stored});
  } catch (const std::regex_error&) {
    notes.doubt(fmt::format("'{}' is no regular expression for modules", text));
  }
}

void NameRules::add(const std::string& entry, const StoredAs& stored, ReadingNotes& notes) {
  if (entry.starts_with("re:")) {
    add_expression(entry.substr(3), stored, notes);
    return;
  }
  std::string text = without_prefix(entry);
  const bool glob = text.find('*') != std::string::npos;
  const int layer = layer_number(text);
  if (!glob && (layer >= 0 || text.find(kLayers) != std::string::npos)) {
    exact_.emplace(std::move(text), stored);
    return;
  }
  const bool digits = std::ranges::any_of(text, [](unsigned char c) { return std::isdigit(c); });
  std::vector<Pattern>& list = layer >= 0 ? of_layer_[layer] : patterns_;
  list.push_back({.text = std::move(text), .expression = {}, .has_digits = digits, .stored = stored});
}

std::optional<StoredAs> NameRules::match(const MatrixName& name, bool with_digits) const {
  const std::vector<std::string> names = full_names(name);
  const auto fits = [&](const Pattern& pattern) {
    return std::ranges::any_of(names, [&](const std::string& full) {
      if (pattern.expression) {
        for (const char* prefix : {"model.", "model.language_model.", "language_model.model."}) {
          if (std::regex_search(prefix + full, *pattern.expression, std::regex_constants::match_continuous))
            return true;
        }
        return std::regex_search(full, *pattern.expression, std::regex_constants::match_continuous);
      }
      if (pattern.text.find('*') == std::string::npos) return has_part(full, pattern.text);
      return any_ancestor(full, [&](std::string_view part) { return matches_glob(pattern.text, part); });
    });
  };
  const auto first = [&](const std::vector<Pattern>& patterns) -> std::optional<StoredAs> {
    for (const Pattern& pattern : patterns)
      if (pattern.has_digits == with_digits && fits(pattern)) return pattern.stored;
    return std::nullopt;
  };
  if (const auto found = first(patterns_)) return found;
  const auto own = of_layer_.find(name.layer);
  return with_digits && own != of_layer_.end() ? first(own->second) : std::nullopt;
}

std::optional<StoredAs> NameRules::find(const MatrixName& name) const {
  if (empty()) return std::nullopt;
  for (const std::string& full : full_names(name)) {
    std::optional<StoredAs> stored;
    any_ancestor(full, [&](std::string_view part) {
      const auto found = exact_.find(part);
      if (found != exact_.end()) stored = found->second;
      return stored.has_value();
    });
    if (stored) return stored;
  }
  const std::string key =
      fmt::format("{}{}{}", name.names, name.draft >= 0 ? "|mtp" : "", name.layer >= 0 ? "|" : "");
  const auto [known, fresh] = found_.try_emplace(key);
  if (fresh) known->second = match(name, false);
  return known->second ? known->second : match(name, true);
}

}  // namespace ringside
