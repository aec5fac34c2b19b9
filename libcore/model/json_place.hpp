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
#include "model/json_tree.hpp"

namespace ringside {

// A value of a JSON text and where it stands. Its readers throw UsageError that says what was expected there,
// in one line of bearable length. Valid as long as the tree and the place that it was reached from:
// the path is put together only when there is something to say.
class JsonPlace {
 public:
  JsonPlace(const JsonNode& root, const std::string& origin) : value_(&root), origin_(&origin) {}

  // A value that was reached otherwise, as the element of this array, or the member of this object.
  JsonPlace element(const JsonNode& value, std::size_t index) const { return {value, *this, "", index}; }
  JsonPlace member(const JsonNode& value, std::string_view key) const { return {value, *this, key, 0}; }

  bool has(std::string_view key) const;
  // `key` must live as long as the place. Of several members of that name any may be given.
  JsonPlace operator[](std::string_view key) const;
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
    values.reserve(count);
    const JsonNode* element = value_ + 1;
    for (std::size_t i = 0; i < count; ++i, element = element->next())
      values.push_back(read(this->element(*element, i)));
    return values;
  }

  // read(place), or nothing where there is null.
  template <typename Read>
  auto optional(Read read) const {
    return is_null() ? std::nullopt : std::optional(read(*this));
  }

 private:
  JsonPlace(const JsonNode& value, const JsonPlace& parent, std::string_view key, std::size_t index)
      : value_(&value), parent_(&parent), key_(key), index_(index), origin_(parent.origin_) {}

  std::string path() const;
  bool is_null() const { return value_->kind == JsonKind::null; }
  const JsonNode& demand(bool holds, const char* expected) const;
  const JsonNode* find(std::string_view key) const;  // null: there is none
  std::uint64_t whole_up_to(std::uint64_t most) const;
  std::size_t elements() const;

  const JsonNode* value_;
  const JsonPlace* parent_ = nullptr;             // of the root: null
  mutable const JsonNode* last_found_ = nullptr;  // keys are mostly asked for in the order of the text
  std::string_view key_;                          // in an object; empty: see index_
  std::size_t index_ = 0;                         // in an array
  const std::string* origin_;
};

}  // namespace ringside
