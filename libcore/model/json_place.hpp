#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/errors.hpp"

namespace ringside {

// A value of a JSON text and where it stands. Its readers throw UsageError that says what was expected there.
// Valid as long as the parsed text.
class JsonPlace {
 public:
  // `value`: an nlohmann::ordered_json, which only source files see.
  JsonPlace(const void* value, std::string path, const std::string& origin)
      : value_(value), path_(std::move(path)), origin_(&origin) {}

  bool has(const std::string& key) const;
  JsonPlace operator[](const std::string& key) const;
  bool boolean() const;
  std::string text() const;
  double number() const;  // NaN for null
  std::vector<std::pair<std::string, std::string>> facts() const;
  UsageError error(const std::string& what) const;

  // Nothing in a Document is counted below 0.
  template <typename Integer>
  Integer whole() const {
    return static_cast<Integer>(whole_up_to(static_cast<std::uint64_t>(std::numeric_limits<Integer>::max())));
  }

  // A word that `parse` knows.
  template <typename Enum>
  Enum word(Enum (*parse)(std::string_view)) const {
    const std::string name = text();
    try {
      return parse(name);
    } catch (const UsageError& unknown) {
      throw error(unknown.what());
    }
  }

  // read(place) of each element.
  template <typename Read>
  auto list(Read read) const {
    std::vector<decltype(read(*this))> values;
    const std::size_t count = elements();
    for (std::size_t i = 0; i < count; ++i) values.push_back(read(element(i)));
    return values;
  }

  // read(place), or nothing where there is null.
  template <typename Read>
  auto optional(Read read) const {
    return is_null() ? std::nullopt : std::optional(read(*this));
  }

 private:
  bool is_null() const;
  std::uint64_t whole_up_to(std::uint64_t most) const;
  std::size_t elements() const;
  JsonPlace element(std::size_t index) const;

  const void* value_;
  std::string path_;
  const std::string* origin_;
};

}  // namespace ringside
