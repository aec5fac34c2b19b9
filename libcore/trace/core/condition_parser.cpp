#include <array>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "trace/core/condition_node.hpp"

namespace ringside {

namespace {

using Node = Condition::Node;
using NodePtr = std::shared_ptr<const Node>;

constexpr int kMaxNodes = 5000;
constexpr int kMaxDepth =
    120;  // parentheses and operators within each other; deeper is nothing that a person wrote

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  NodePtr whole() {
    NodePtr node = choice();
    skip_blanks();
    if (at_ < text_.size()) fail("nothing more was expected");
    return node;
  }

 private:
  // Counts how deep the recursion is.
  class Level {
   public:
    explicit Level(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > kMaxDepth) parser_.fail("too many levels");
    }
    ~Level() { --parser_.depth_; }

   private:
    Parser& parser_;
  };

  [[noreturn]] void fail(std::string_view what) const {
    std::string shown(text_.substr(0, 80));
    if (shown.size() < text_.size()) shown += "...";
    throw UsageError(fmt::format("{} at column {} of the condition '{}'", what, at_ + 1, shown));
  }

  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

  bool symbol(std::string_view symbol) {
    skip_blanks();
    if (text_.substr(at_, symbol.size()) != symbol) return false;
    at_ += symbol.size();
    return true;
  }

  bool word(std::string_view word) {
    skip_blanks();
    const std::size_t end = at_ + word.size();
    if (text_.substr(at_, word.size()) != word ||
        (end < text_.size() && (is_word(text_[end]) || text_[end] == '.')))
      return false;
    at_ = end;
    return true;
  }

  std::shared_ptr<Node> fresh(Operator op) {
    if (++nodes_ > kMaxNodes) fail("too long");
    auto node = std::make_shared<Node>();
    node->op = op;
    return node;
  }

  NodePtr make(Operator op, std::vector<NodePtr> operands) {
    auto node = fresh(op);
    node->operands = std::move(operands);
    return node;
  }

  NodePtr literal(Value value) {
    auto node = fresh(Operator::literal);
    node->value = std::move(value);
    return node;
  }

  NodePtr choice() {
    const Level level(*this);
    NodePtr then = disjunction();
    if (!word("if")) return then;
    NodePtr condition = disjunction();
    if (!word("else")) fail("'else' was expected");
    NodePtr otherwise = choice();
    return make(Operator::choose, {std::move(condition), std::move(then), std::move(otherwise)});
  }

  NodePtr disjunction() {
    NodePtr left = conjunction();
    while (word("or")) left = make(Operator::either, {left, conjunction()});
    return left;
  }

  NodePtr conjunction() {
    NodePtr left = negation();
    while (word("and")) left = make(Operator::both, {left, negation()});
    return left;
  }

  NodePtr negation() {
    const Level level(*this);
    return word("not") ? make(Operator::negate, {negation()}) : comparison();
  }

  NodePtr comparison() {
    NodePtr left = sum();
    if (word("is")) {
      const Operator op = word("not") ? Operator::is_not : Operator::is;
      return make(op, {left, sum()});
    }
    if (word("in")) return make(Operator::in, {left, sum()});
    if (word("not")) {
      if (!word("in")) fail("'in' was expected");
      return make(Operator::not_in, {left, sum()});
    }
    static constexpr std::array<std::pair<std::string_view, Operator>, 6> kSymbols = {
        {{"==", Operator::equal},
         {"!=", Operator::unequal},
         {"<=", Operator::at_most},
         {">=", Operator::at_least},
         {"<", Operator::less},
         {">", Operator::greater}}};
    for (const auto& [text, op] : kSymbols)
      if (symbol(text)) return make(op, {left, sum()});
    return left;
  }

  NodePtr sum() {
    NodePtr left = product();
    while (true) {
      if (symbol("+"))
        left = make(Operator::add, {left, product()});
      else if (symbol("-"))
        left = make(Operator::subtract, {left, product()});
      else
        return left;
    }
  }

  NodePtr product() {
    NodePtr left = signed_operand();
    while (true) {
      if (symbol("*"))
        left = make(Operator::multiply, {left, signed_operand()});
      else if (symbol("//"))
        left = make(Operator::floor_divide, {left, signed_operand()});
      else if (symbol("/"))
        left = make(Operator::divide, {left, signed_operand()});
      else if (symbol("%"))
        left = make(Operator::modulo, {left, signed_operand()});
      else
        return left;
    }
  }

  NodePtr signed_operand() {
    const Level level(*this);
    return symbol("-") ? make(Operator::minus, {signed_operand()}) : operand();
  }

  NodePtr operand() {
    skip_blanks();
    if (at_ >= text_.size()) fail("an operand was expected");
    const char c = text_[at_];
    if (symbol("(")) {
      NodePtr inner = choice();
      if (!symbol(")")) fail("')' was expected");
      return inner;
    }
    if (symbol("[")) return list();
    if (c == '"' || c == '\'') return literal(text());
    if (std::isdigit(static_cast<unsigned char>(c))) return number();
    if (is_word(c)) return named();
    fail("an operand was expected");
  }

  NodePtr list() {
    std::vector<NodePtr> items;
    while (!symbol("]")) {
      if (!items.empty() && !symbol(",")) fail("',' or ']' was expected");
      items.push_back(choice());
    }
    return make(Operator::list, std::move(items));
  }

  std::string text() {
    const char quote = text_[at_++];
    std::string value;
    while (at_ < text_.size() && text_[at_] != quote) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      value += text_[at_++];
    }
    if (at_ >= text_.size()) fail("the text has no end");
    ++at_;
    return value;
  }

  NodePtr number() {
    const std::size_t start = at_;
    while (at_ < text_.size() &&
           (is_word(text_[at_]) || text_[at_] == '.' ||
            ((text_[at_] == '-' || text_[at_] == '+') && (text_[at_ - 1] | 0x20) == 'e')))
      ++at_;
    Value value = parse_scalar(text_.substr(start, at_ - start));
    if (value.as<std::string>()) {
      at_ = start;
      fail("this is no number");
    }
    return literal(std::move(value));
  }

  NodePtr named() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (is_word(text_[at_]) || text_[at_] == '.')) ++at_;
    const std::string name(text_.substr(start, at_ - start));
    if (name == "None") return literal(Value());
    if (name == "True") return literal(true);
    if (name == "False") return literal(false);
    auto node = fresh(Operator::name);
    if (name == "unknown") {
      if (!symbol("(")) fail("'(' was expected");
      skip_blanks();
      if (at_ >= text_.size() || (text_[at_] != '"' && text_[at_] != '\'')) fail("a text was expected");
      node->op = Operator::unknown;
      node->value = Unknown{text()};
      if (!symbol(")")) fail("')' was expected");
      return node;
    }
    node->name = name;
    const std::size_t wanted = at_ < text_.size() && text_[at_] == '(' ? arguments_of(name) : 0;
    if (wanted > 0) read_arguments(*node, wanted);
    return node;
  }

  void read_arguments(Node& node, std::size_t wanted) {
    node.op = Operator::function;
    ++at_;
    while (!symbol(")")) {
      if (!node.operands.empty() && !symbol(",")) fail("',' or ')' was expected");
      node.operands.push_back(choice());
    }
    if (node.operands.size() < wanted) fail(fmt::format("{} takes {} arguments", node.name, wanted));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int nodes_ = 0;
};

}  // namespace

std::shared_ptr<const Condition::Node> parse_condition(std::string_view text) {
  return Parser(text).whole();
}

}  // namespace ringside
