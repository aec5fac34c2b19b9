#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trace/core/condition.hpp"

namespace ringside {

enum class Operator {
  literal,
  name,
  list,
  unknown,  // operands
  either,
  both,
  negate,
  choose,  // or, and, not, x if c else y
  equal,
  unequal,
  less,
  at_most,
  greater,
  at_least,
  in,
  not_in,
  is,
  is_not,
  add,
  subtract,
  multiply,
  divide,
  floor_divide,
  modulo,
  minus,
  function  // by its name
};

struct Condition::Node {
  Operator op = Operator::literal;
  Value value;                                        // of a literal; of `unknown`, the reason
  std::string name;                                   // of a name or a function
  std::vector<std::shared_ptr<const Node>> operands;  // of `choose`: condition, then, else
};

// What a function of the language gives for these arguments; none of them is unknown. Unknown where Python
// would raise.
Value apply_function(const std::string& name, const std::vector<Value>& arguments);

// The number of arguments that a function of the language takes; 0: there is no such function.
std::size_t arguments_of(std::string_view function);

// Throws UsageError "... at column N of '...'".
std::shared_ptr<const Condition::Node> parse_condition(std::string_view text);

}  // namespace ringside
