#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "model/field_range.hpp"
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

  const JsonNode* find(std::string_view key) const;  // null: an object without it
  // `key` must live as long as the place. Of several members of that name any may be given.
  JsonPlace operator[](std::string_view key) const;
  bool is_null() const { return value_->kind == JsonKind::null; }
  bool boolean() const;
  std::string text() const;
  double number(const FieldRange& range) const;               // NaN for null
  void numbers(const FieldRange& range, double* into) const;  // of all elements
  std::vector<std::pair<std::string, std::string>> facts() const;
  // The place of a word among `names`; `what` names it in the message.
  std::size_t word(std::string_view what, std::span<const std::string_view> names) const;
  std::size_t elements() const;  // of an array
  UsageError error(const std::string& what) const;

  // Nothing in a Document is counted below 0.
  template <typename Integer>
  Integer whole(const FieldRange& range) const {
    return static_cast<Integer>(
        whole_up_to(static_cast<std::uint64_t>(std::numeric_limits<Integer>::max()), range));
  }

  // take(place) of each element of an array.
  template <typename Take>
  void each(Take take) const {
    const std::size_t count = elements();
    const JsonNode* element = value_ + 1;
    for (std::size_t i = 0; i < count; ++i, element = element->next()) take(this->element(*element, i));
  }

 private:
  JsonPlace(const JsonNode& value, const JsonPlace& parent, std::string_view key, std::size_t index)
      : value_(&value), parent_(&parent), key_(key), index_(index), origin_(parent.origin_) {}

  std::string path() const;
  const JsonNode& demand(bool holds, const char* expected) const;
  std::uint64_t whole_up_to(std::uint64_t most, const FieldRange& range) const;

  const JsonNode* value_;
  const JsonPlace* parent_ = nullptr;           // of the root: null
  mutable const JsonNode* next_key_ = nullptr;  // keys are mostly asked for in the order of the text
  std::string_view key_;                        // in an object; empty: see index_
  std::size_t index_ = 0;                       // in an array
  const std::string* origin_;
};

}  // namespace ringside
