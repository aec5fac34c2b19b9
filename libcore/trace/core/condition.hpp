#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "trace/core/value.hpp"

namespace ringside {

// What a condition came to, and the names that decided it: where one false operand of `and` is enough, only
// its names.
struct Judgement {
  Value value;
  std::vector<std::string> names;  // each once, in the order read

  Truth verdict() const { return truth(value); }
};

// The value of a dotted name such as "args.moe_a2a_backend".
using Lookup = std::function<Value(const std::string& name)>;

// An expression over names, in the small part of Python's grammar that conditions of a server need:
//   or and not | == != < <= > >= in not-in is is-not | + - * / // % | x if c else y
//   names a.b.c | None True False | numbers | "text" 'text' | [lists] | (groups) | unknown("why")
//   len(x) int(x) float(x) min(x, y) max(x, y) item(list, index) startswith(x, "a") endswith(x, "a")
//   isinstance(x, "list")
// Logic is three-valued: an operand that is unknown leaves the result unknown unless the other operand
// decides.
class Condition {
 public:
  Condition();  // always true

  // Throws UsageError that names the text and the place in it.
  explicit Condition(std::string_view text);

  Judgement judge(const Lookup& lookup) const;
  Value value(const Lookup& lookup) const { return judge(lookup).value; }

  const std::string& text() const { return text_; }
  bool always() const { return root_ == nullptr; }

  struct Node;  // of the syntax tree

 private:
  std::string text_;
  std::shared_ptr<const Node> root_;
};

}  // namespace ringside
