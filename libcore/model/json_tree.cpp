#include "model/json_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/errors.hpp"
#include "model/json_string.hpp"

namespace ringside {
namespace {

constexpr int kDeepest = 64;
constexpr std::uint32_t kMostMembers = 1000;
constexpr std::size_t kFirstNodes = 4096;
constexpr std::uint32_t kFewMembers = 48;  // of an object, whose keys are looked up one by one

// What a text may need in memory: somewhat less than 64 MiB and ten times its size, as it is there itself.
// What a value needs at most, in its node and in the record that is made of it; nodes are copied as they
// grow.
constexpr std::size_t kLeastMemory = std::size_t{40} << 20;
constexpr std::size_t kMemoryOfByte = 8;
constexpr std::size_t kMemoryOfNode = 3 * sizeof(JsonNode);
constexpr std::size_t kMemoryOfNumber = 8;
constexpr std::size_t kMemoryOfString = sizeof(std::string);
constexpr std::size_t kMemoryOfObject = 350;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

class JsonParser {
 public:
  JsonParser(std::string_view text, std::string_view origin, JsonTree& tree, std::string_view given_away,
             JsonTree::TakeElement take)
      : text_(text),
        at_(text.data()),
        end_(text.data() + text.size()),
        origin_(origin),
        nodes_(tree.nodes_),
        unescaped_(tree.unescaped_),
        strings_(tree.unescaped_),
        given_away_(given_away),
        most_memory_(kLeastMemory + kMemoryOfByte * text.size()),
        take_(std::move(take)) {}

  void parse() {
    if (text_.size() > std::numeric_limits<std::uint32_t>::max())
      throw UsageError(fmt::format("{}: larger than 4 GiB", origin_));
    nodes_.reserve(std::min<std::size_t>(text_.size() / 16 + 1, kFirstNodes));
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (text_.starts_with(kByteOrderMark)) at_ += kByteOrderMark.size();
    skip_blanks();
    value(0);
    skip_blanks();
    if (at_ != end_) fail("expected the end of the text");
  }

 private:
  [[noreturn]] void fail_at(const char* place, std::string_view what) const {
    const std::string_view before = text_.substr(0, static_cast<std::size_t>(place - text_.data()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0: the first line
    throw UsageError(fmt::format("{}:{}:{}: {}", origin_, line, column, what));
  }
  [[noreturn]] void fail(std::string_view what) const {
    if (at_ == end_) fail_at(at_, fmt::format("{}, found the end of the text", what));
    const auto byte = static_cast<unsigned char>(*at_);
    fail_at(at_, byte > 0x20 && byte < 0x7f ? fmt::format("{}, found '{}'", what, *at_)
                                            : fmt::format("{}, found the byte 0x{:02x}", what, byte));
  }

  // Results are indented: blanks are half of them, and stand in rows.
  void skip_blanks() {
    for (;;) {
      if (at_ == end_ || static_cast<unsigned char>(*at_) > ' ') return;
      if (*at_ != ' ' && *at_ != '\n' && *at_ != '\t' && *at_ != '\r') return;
      ++at_;
      constexpr std::uint64_t kBlanks = 0x2020202020202020;
      for (std::uint64_t eight = 0; end_ - at_ >= 8; at_ += 8) {
        std::memcpy(&eight, at_, 8);
        if (eight != kBlanks) break;
      }
    }
  }

  bool take(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }

  void value(int depth) {
    if (at_ == end_) fail("expected a value");
    switch (*at_) {
      case '{':
        return object(depth);
      case '[':
        return array(depth);
      case '"':
        return string();
      case 't':
        return word("true", {JsonKind::boolean, 0, {.truth = true}});
      case 'f':
        return word("false", {JsonKind::boolean, 0, {.truth = false}});
      case 'n':
        return word("null", {});
      default:
        return number();
    }
  }

  void word(std::string_view expected, JsonNode node) {
    const char* const start = at_;
    for (const char c : expected) {
      if (!take(c)) fail_at(start, fmt::format("expected a value; is this '{}'?", expected));
    }
    nodes_.push_back(node);
  }

  void string() {
    const std::size_t unescaped = unescaped_.size();
    try {
      nodes_.push_back(strings_.read(at_, end_));
      const std::size_t size = nodes_.back().size;
      const std::size_t one = kMemoryOfString + (size < sizeof(std::string) / 2 ? 0 : size + 16);
      add_memory(unescaped == unescaped_.size() ? one : 2 * one);
    } catch (const BadJsonString& bad) {
      fail_at(bad.place, bad.what);
    }
  }

  void add_memory(std::size_t bytes) {
    memory_ += bytes;
    if (memory_ + kMemoryOfNode * nodes_.size() <= most_memory_) return;
    fail_at(at_, "too many small values for a result: it would need more memory than ten times its size");
  }

  void digits() {
    if (at_ == end_ || !is_digit(*at_)) fail("expected a digit");
    while (at_ != end_ && is_digit(*at_)) ++at_;
  }

  void number() {
    const char* const start = at_;
    const bool negative = take('-');
    if (at_ == end_ || !is_digit(*at_)) fail(negative ? "expected a digit" : "expected a value");
    if (!take('0')) digits();
    bool whole = !negative;
    if (take('.')) {
      whole = false;
      digits();
    }
    if (take('e') || take('E')) {
      whole = false;
      if (!take('-')) take('+');
      digits();
    }
    add_memory(kMemoryOfNumber);
    JsonNode node{JsonKind::whole, 0, {.whole = 0}};
    if (whole && std::from_chars(start, at_, node.is.whole).ec == std::errc()) {
      nodes_.push_back(node);
      return;
    }
    node = {JsonKind::number, 0, {.number = 0}};
    // What is too small for a double is 0, what is too large has no value.
    if (std::from_chars(start, at_, node.is.number).ec == std::errc::result_out_of_range)
      node.is.number = std::strtod(std::string(start, at_).c_str(), nullptr);
    if (!std::isfinite(node.is.number)) {
      const std::string_view shown(start,
                                   static_cast<std::size_t>(std::min<std::ptrdiff_t>(at_ - start, 40)));
      fail_at(start, fmt::format("no number is as large as {}", shown));
    }
    nodes_.push_back(node);
  }

  // Its node, whose size and end follow when they are known.
  std::size_t open(JsonKind kind, int depth) {
    if (depth == kDeepest) fail_at(at_, fmt::format("nested deeper than {} levels", kDeepest));
    ++at_;
    skip_blanks();
    nodes_.push_back({kind, 0, {.behind = 0}});
    add_memory(kind == JsonKind::object ? kMemoryOfObject : sizeof(std::vector<int>));
    return nodes_.size() - 1;
  }
  void close(std::size_t place, std::uint32_t size) {
    nodes_[place].size = size;
    nodes_[place].is.behind = nodes_.size() - place;
  }

  void array(int depth) {
    const std::size_t place = open(JsonKind::array, depth);
    std::uint32_t size = 0;
    if (!take(']')) {
      for (;;) {
        value(depth + 1);
        ++size;
        skip_blanks();
        if (take(']')) break;
        if (!take(',')) fail("expected ',' or ']'");
        skip_blanks();
      }
    }
    close(place, size);
  }

  // Each element's nodes take the place of those of the one before.
  void array_given_away(int depth) {
    const std::size_t place = open(JsonKind::array, depth);
    for (std::size_t index = 0; !take(']'); ++index) {
      if (index > 0) {
        if (!take(',')) fail("expected ',' or ']'");
        skip_blanks();
      }
      const std::size_t strings = unescaped_.size();
      value(depth + 1);
      take_(nodes_[place + 1], index);
      nodes_.resize(place + 1);
      unescaped_.resize(strings);
      skip_blanks();
    }
    close(place, 0);
  }

  // The keys of an object that is being read.
  class Keys {
   public:
    // `key` behind `size` others of `object`; false: it is there already.
    bool add(const JsonNode& object, const JsonNode& key, std::uint32_t size) {
      const std::string_view text = key.string();
      if (size >= kFewMembers) {
        if (many_.empty())
          each(object, size, [&](std::string_view known) { return many_.insert(known), true; });
        return many_.insert(text).second;
      }
      const std::size_t mixed = text.empty()
                                    ? 0
                                    : text.size() * 7 + static_cast<unsigned char>(text.front()) * 3 +
                                          static_cast<unsigned char>(text.back());
      const std::uint64_t bit = std::uint64_t{1} << (mixed % 64);
      const bool maybe = (seen_ & bit) != 0;
      seen_ |= bit;
      return !maybe || each(object, size, [&](std::string_view known) { return known != text; });
    }

   private:
    template <typename Holds>
    static bool each(const JsonNode& object, std::uint32_t size, Holds holds) {
      const JsonNode* name = &object + 1;
      for (std::uint32_t i = 0; i < size; ++i, name = (name + 1)->next())
        if (!holds(name->string())) return false;
      return true;
    }

    std::uint64_t seen_ = 0;  // a bit for each key, which several may share
    std::unordered_set<std::string_view> many_;
  };

  void object(int depth) {
    const std::size_t place = open(JsonKind::object, depth);
    Keys keys;
    std::uint32_t size = 0;
    if (!take('}')) {
      for (;;) {
        if (at_ == end_ || *at_ != '"') fail("expected a key in quotes");
        const char* const key = at_;
        string();
        const bool is_given_away = depth == 0 && take_ && nodes_.back().string() == given_away_;
        if (!keys.add(nodes_[place], nodes_.back(), size))
          fail_at(key, fmt::format("the key '{}' comes twice", nodes_.back().string().substr(0, 100)));
        skip_blanks();
        if (size == kMostMembers)
          fail_at(at_, fmt::format("an object of more than {} members", kMostMembers));
        if (!take(':')) fail("expected ':'");
        skip_blanks();
        if (is_given_away && at_ != end_ && *at_ == '[') {
          array_given_away(depth + 1);
        } else {
          value(depth + 1);
        }
        ++size;
        skip_blanks();
        if (take('}')) break;
        if (!take(',')) fail("expected ',' or '}'");
        skip_blanks();
      }
    }
    close(place, size);
  }

  std::string_view text_;
  const char* at_;
  const char* end_;
  std::string_view origin_;
  std::vector<JsonNode>& nodes_;
  std::deque<std::string>& unescaped_;
  JsonStrings strings_;
  std::string_view given_away_;
  std::size_t memory_ = 0;  // that values need, but for nodes
  std::size_t most_memory_;
  JsonTree::TakeElement take_;
};

JsonTree::JsonTree(std::string_view text, std::string_view origin) : JsonTree(text, origin, "", {}) {}

JsonTree::JsonTree(std::string_view text, std::string_view origin, std::string_view member,
                   TakeElement take) {
  JsonParser(text, origin, *this, member, std::move(take)).parse();
}

}  // namespace ringside
