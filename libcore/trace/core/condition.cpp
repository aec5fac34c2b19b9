#include "trace/core/condition.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trace/core/condition_node.hpp"

namespace ringside {

namespace {

using Node = Condition::Node;

Value of(Truth truth, const std::string& why) {
  if (truth == Truth::unknown) return Unknown{why};
  return truth == Truth::yes;
}

Truth inverse(Truth truth) {
  if (truth == Truth::unknown) return truth;
  return truth == Truth::yes ? Truth::no : Truth::yes;
}

std::string reason(const Value& left, const Value& right) {
  if (left.is_unknown()) return left.why();
  return right.is_unknown() ? right.why() : std::string();
}

Truth contained(const Value& item, const Value& container, std::string& why) {
  if (const auto* text = container.as<std::string>()) {
    const auto* part = item.as<std::string>();
    if (!part) return item.is_unknown() ? Truth::unknown : Truth::no;
    return text->find(*part) != std::string::npos ? Truth::yes : Truth::no;
  }
  const auto* list = container.as<Value::List>();
  if (!list) return Truth::unknown;
  Truth result = Truth::no;
  for (const Value& candidate : *list) {
    const Truth same = equal(item, candidate);
    if (same == Truth::yes) return Truth::yes;
    if (same == Truth::unknown) {
      result = Truth::unknown;
      why = reason(item, candidate);
    }
  }
  return result;
}

bool is_number(const Value& value) {
  return value.as<std::int64_t>() || value.as<double>() || value.as<bool>();
}

double real(const Value& value) {
  if (const auto* integer = value.as<std::int64_t>()) return static_cast<double>(*integer);
  if (const auto* flag = value.as<bool>()) return *flag ? 1 : 0;
  return *value.as<double>();
}

Value ordered(Operator op, const Value& left, const Value& right) {
  const auto *a = left.as<std::string>(), *b = right.as<std::string>();
  double x = 0, y = 0;
  if (a && b) {
    x = a->compare(*b);
  } else if (is_number(left) && is_number(right)) {
    x = real(left);
    y = real(right);
  } else {
    return Unknown{fmt::format("{} and {} have no order", to_text(left), to_text(right))};
  }
  switch (op) {
    case Operator::less:
      return x < y;
    case Operator::at_most:
      return x <= y;
    case Operator::greater:
      return x > y;
    default:
      return x >= y;
  }
}

// Whole numbers with Python's rounding towards minus infinity; nothing where there is no result.
Value whole(Operator op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  bool bad = false;
  switch (op) {
    case Operator::add:
      bad = __builtin_add_overflow(a, b, &result);
      break;
    case Operator::subtract:
      bad = __builtin_sub_overflow(a, b, &result);
      break;
    case Operator::multiply:
      bad = __builtin_mul_overflow(a, b, &result);
      break;
    default: {
      if (b == 0 || (a == INT64_MIN && b == -1)) return Unknown{"division by zero"};
      const std::int64_t rest = a % b;
      const bool adjust = rest != 0 && (rest < 0) != (b < 0);
      if (op == Operator::modulo)
        result = adjust ? rest + b : rest;
      else
        result = a / b - (adjust ? 1 : 0);
    }
  }
  if (bad) return Unknown{"a number that is too large"};
  return result;
}

Value arithmetic(Operator op, const Value& left, const Value& right) {
  if (op == Operator::add) {
    const auto *a = left.as<std::string>(), *b = right.as<std::string>();
    if (a && b) return *a + *b;
  }
  if (!is_number(left) || !is_number(right))
    return Unknown{fmt::format("no arithmetic between {} and {}", to_text(left), to_text(right))};
  const auto *a = left.as<std::int64_t>(), *b = right.as<std::int64_t>();
  if (a && b && op != Operator::divide) return whole(op, *a, *b);
  const double x = real(left), y = real(right);
  switch (op) {
    case Operator::add:
      return x + y;
    case Operator::subtract:
      return x - y;
    case Operator::multiply:
      return x * y;
    default:
      break;
  }
  if (y == 0) return Unknown{"division by zero"};
  if (op == Operator::divide) return x / y;
  return op == Operator::floor_divide ? std::floor(x / y) : x - y * std::floor(x / y);
}

void add_names(std::vector<std::string>& names, const std::vector<std::string>& more) {
  for (const std::string& name : more)
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

class Evaluator {
 public:
  explicit Evaluator(const Lookup& lookup) : lookup_(lookup) {}

  Judgement judge(const Node& node) const {
    switch (node.op) {
      case Operator::literal:
      case Operator::unknown:
        return {node.value, {}};
      case Operator::name:
        return {lookup_(node.name), {node.name}};
      case Operator::list:
        return list(node);
      case Operator::either:
      case Operator::both:
        return logic(node);
      case Operator::negate:
        return negation(node);
      case Operator::choose:
        return choice(node);
      case Operator::minus: {
        Judgement inner = judge(*node.operands[0]);
        if (!inner.value.is_unknown()) inner.value = arithmetic(Operator::subtract, 0, inner.value);
        return inner;
      }
      case Operator::function:
        return function(node);
      default:
        return binary(node);
    }
  }

 private:
  Judgement function(const Node& node) const {
    Judgement result;
    std::vector<Value> arguments;
    for (const auto& operand : node.operands) {
      Judgement argument = judge(*operand);
      add_names(result.names, argument.names);
      arguments.push_back(std::move(argument.value));
    }
    const auto unknown = std::find_if(arguments.begin(), arguments.end(),
                                      [](const Value& value) { return value.is_unknown(); });
    result.value = unknown != arguments.end() ? *unknown : apply_function(node.name, arguments);
    return result;
  }

  Judgement list(const Node& node) const {
    Judgement result;
    Value::List items;
    for (const auto& operand : node.operands) {
      Judgement item = judge(*operand);
      items.push_back(std::move(item.value));
      add_names(result.names, item.names);
    }
    result.value = std::move(items);
    return result;
  }

  // Python's `and` and `or` give the operand that decides.
  Judgement logic(const Node& node) const {
    const Truth decisive = node.op == Operator::either ? Truth::yes : Truth::no;
    Judgement left = judge(*node.operands[0]);
    if (left.verdict() == decisive) return left;
    Judgement right = judge(*node.operands[1]);
    if (right.verdict() == decisive) {
      // An unknown left operand can't change the verdict, but it can change which value is given.
      if (left.verdict() == Truth::unknown) right.value = decisive == Truth::yes;
      return right;
    }
    if (left.verdict() == Truth::unknown) right.value = left.value;
    add_names(left.names, right.names);
    right.names = std::move(left.names);
    return right;
  }

  Judgement negation(const Node& node) const {
    Judgement inner = judge(*node.operands[0]);
    if (inner.verdict() != Truth::unknown) inner.value = inner.verdict() == Truth::no;
    return inner;
  }

  Judgement choice(const Node& node) const {
    Judgement condition = judge(*node.operands[0]);
    if (condition.verdict() != Truth::unknown) {
      Judgement chosen = judge(*node.operands[condition.verdict() == Truth::yes ? 1 : 2]);
      add_names(condition.names, chosen.names);
      return {std::move(chosen.value), std::move(condition.names)};
    }
    const Judgement then = judge(*node.operands[1]), otherwise = judge(*node.operands[2]);
    if (equal(then.value, otherwise.value) == Truth::yes) return then;
    return {condition.value, condition.names};
  }

  Judgement binary(const Node& node) const {
    Judgement left = judge(*node.operands[0]), right = judge(*node.operands[1]);
    Value value = combine(node.op, left.value, right.value);
    add_names(left.names, right.names);
    return {std::move(value), std::move(left.names)};
  }

  static Value combine(Operator op, const Value& left, const Value& right) {
    std::string why = reason(left, right);
    switch (op) {
      case Operator::in: {
        const Truth found = contained(left, right, why);
        return of(found, why);
      }
      case Operator::not_in: {
        const Truth found = contained(left, right, why);
        return of(inverse(found), why);
      }
      case Operator::is:
      case Operator::equal:
        return of(equal(left, right), why);
      case Operator::is_not:
      case Operator::unequal:
        return of(inverse(equal(left, right)), why);
      default:
        break;
    }
    if (left.is_unknown() || right.is_unknown()) return Unknown{why};
    if (op == Operator::less || op == Operator::at_most || op == Operator::greater ||
        op == Operator::at_least)
      return ordered(op, left, right);
    return arithmetic(op, left, right);
  }

  const Lookup& lookup_;
};

}  // namespace

Condition::Condition() : text_("True") {}

Condition::Condition(std::string_view text) : text_(text), root_(parse_condition(text)) {}

Judgement Condition::judge(const Lookup& lookup) const {
  if (!root_) return {true, {}};
  return Evaluator(lookup).judge(*root_);
}

}  // namespace ringside
