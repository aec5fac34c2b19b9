#include "trace/core/condition.hpp"

#include <map>

#include "base/errors.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

const std::map<std::string, Value> kNames = {{"args.a2a", "deepep"},
                                             {"args.tp", 8},
                                             {"args.eplb", false},
                                             {"args.none", None{}},
                                             {"args.lost", Unknown{"$TP"}}};

Judgement judge(const std::string& text) {
  return Condition(text).judge([](const std::string& name) { return kNames.at(name); });
}

}  // namespace

TEST_CASE("functions of conditions give what Python's give, and nothing where Python would raise") {
  const auto value = [](const char* text) {
    return Condition(text).value([](const std::string& name) -> Value {
      return name == "args.list" ? Value(Value::List{Value("tse"), Value("2")}) : Value(Unknown{name});
    });
  };
  CHECK(value("len(args.list) == 2") == Value(true));
  CHECK(value("item(args.list, 0)") == Value("tse"));
  CHECK(value("item(args.list, -1)") == Value("2"));
  CHECK(value("item(args.list, 2)").is_unknown());
  CHECK(value("int(item(args.list, 1)) + 1") == Value(3));
  CHECK(value("int('x')").is_unknown());
  CHECK(value("max(2, 3) - min(2, 3)") == Value(1));
  CHECK(value("startswith('cuda:0', 'cuda')") == Value(true));
  CHECK(value("isinstance(args.list, 'list') and not (isinstance(args.list, 'str'))") == Value(true));
  CHECK(value("len(args.other)").is_unknown());
  CHECK_THROWS_AS(Condition("min(1)"), UsageError);
}

TEST_CASE("conditions follow Python's rules") {
  CHECK(judge("args.a2a in ['deepep', 'mori'] and not args.eplb").value == Value(true));
  CHECK(judge("args.tp % 3").value == Value(2));
  CHECK(judge("-7 // 2").value == Value(-4));
  CHECK(judge("-7 % 3").value == Value(2));
  CHECK(judge("args.none is None").value == Value(true));
  CHECK(judge("args.none or 'default'").value == Value("default"));
  CHECK(judge("'x' if args.tp > 4 else 'y'").value == Value("x"));
  CHECK(judge("True == 1").value == Value(true));
  CHECK(judge("args.a2a not in ['none']").value == Value(true));
  CHECK(judge("2 + 3 * 4 == 14").value == Value(true));
}

TEST_CASE("what is unknown stays unknown unless the other operand decides") {
  CHECK(judge("args.lost == 8").verdict() == Truth::unknown);
  CHECK(judge("args.lost == 8 and args.eplb").verdict() == Truth::no);
  CHECK(judge("args.lost == 8 or args.tp == 8").verdict() == Truth::yes);
  CHECK(judge("not unknown('x')").verdict() == Truth::unknown);
  CHECK(judge("args.tp in [8, args.lost]").verdict() == Truth::yes);
  CHECK(judge("args.tp in [4, args.lost]").verdict() == Truth::unknown);
  CHECK(judge("1 if args.lost else 1").value == Value(1));
  CHECK(judge("1 if args.lost else 2").verdict() == Truth::unknown);
}

TEST_CASE("arithmetic that has no result is unknown, not an error") {
  CHECK(judge("1 % 0").value.is_unknown());
  CHECK(judge("9223372036854775807 + 1").value.is_unknown());
  CHECK(judge("'a' - 1").value.is_unknown());
  CHECK(judge("'a' < 1").value.is_unknown());
}

TEST_CASE("only the names that decide are given") {
  CHECK(judge("args.eplb and args.tp == 8").names == std::vector<std::string>{"args.eplb"});
  CHECK(judge("args.lost and args.eplb").names == std::vector<std::string>{"args.eplb"});
  CHECK(judge("args.tp == 8 and not args.eplb").names == std::vector<std::string>{"args.tp", "args.eplb"});
}

TEST_CASE("a condition that is none names the column") {
  CHECK_THROWS_WITH(Condition("args.tp =="), Catch::Matchers::ContainsSubstring("at column 11"));
  CHECK_THROWS_AS(Condition("a b"), UsageError);
  CHECK_THROWS_AS(Condition("'open"), UsageError);
  CHECK_THROWS_AS(Condition(std::string(5000, '(')), UsageError);
  CHECK_THROWS_AS(Condition("not " + std::string(4000, '-') + "1"), UsageError);
}
