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
  minus
};

struct Condition::Node {
  Operator op = Operator::literal;
  Value value;                                        // of a literal; of `unknown`, the reason
  std::string name;                                   // of a name
  std::vector<std::shared_ptr<const Node>> operands;  // of `choose`: condition, then, else
};

// Throws UsageError "... at column N of '...'".
std::shared_ptr<const Condition::Node> parse_condition(std::string_view text);

}  // namespace ringside
