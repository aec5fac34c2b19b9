#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ringside {

enum class JsonKind : std::uint8_t { null, boolean, whole, number, string, array, object };

// One value of a JSON text. What an array holds stands behind it, and of an object each key (a string) and
// its value, in the order of the text: next() leads from one to the next.
struct JsonNode {
  JsonKind kind = JsonKind::null;
  std::uint32_t size = 0;  // bytes of a string, elements of an array, members of an object
  union {
    bool truth;
    std::uint64_t whole;   // a number that is written without sign, point and exponent, and fits
    double number;         // any other
    const char* text;      // not ended by a null byte
    std::uint64_t behind;  // of an array or object: nodes up to the one behind it
  } is = {.whole = 0};

  bool is_structured() const { return kind == JsonKind::array || kind == JsonKind::object; }
  const JsonNode* next() const { return this + (is_structured() ? is.behind : 1); }
  std::string_view string() const { return {is.text, size}; }
};

// A JSON text (RFC 8259) as one array of nodes: results are large, and most of a tree of another kind would
// be allocations. Refuses a key that comes twice in an object, and what no Document looks like: deeper than
// 64 levels, an object of more than 1000 members, whose keys are looked up one by one, and so many small
// values that reading would take more memory than 64 MiB and ten times the text.
class JsonTree {
 public:
  // `text` must outlive the tree, as its strings point into it. Throws UsageError with "origin:line:column".
  JsonTree(std::string_view text, std::string_view origin);

  // An element of an array, and its place there. The node is valid during the call alone.
  using TakeElement = std::function<void(const JsonNode& element, std::size_t index)>;
  // Gives each element of the array `member` of the outermost object away as soon as it is read, and keeps
  // the array empty: the tree of a large result stays small. What `take` throws ends the reading.
  JsonTree(std::string_view text, std::string_view origin, std::string_view member, TakeElement take);
  JsonTree(const JsonTree&) = delete;  // nodes point into unescaped_
  JsonTree& operator=(const JsonTree&) = delete;

  const JsonNode& root() const { return nodes_.front(); }

 private:
  friend class JsonParser;
  std::vector<JsonNode> nodes_;
  std::deque<std::string> unescaped_;  // strings that the text holds in another form
};

}  // namespace ringside
