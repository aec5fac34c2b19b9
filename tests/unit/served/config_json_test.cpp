#include "served/config_json.hpp"

#include "base/errors.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

ConfigKeys read(const std::string& text) {
  return read_config_json(text, "config.json");
}

ConfigValue number(std::int64_t value) {
  return JsonScalar(value);
}

}  // namespace

TEST_CASE("a nested text_config's keys count before those of the top level") {
  const ConfigKeys keys = read(R"({"architectures": ["KimiK25ForConditionalGeneration"], "hidden_size": 1,
    "vocab_size": 7, "text_config": {"architectures": ["DeepseekV3ForCausalLM"], "hidden_size": 7168}})");
  CHECK(keys.architecture == "KimiK25ForConditionalGeneration");
  CHECK(keys.values.at("hidden_size") == number(7168));
  CHECK(keys.values.at("vocab_size") == number(7));
  CHECK_FALSE(keys.values.contains("text_config"));
}

TEST_CASE("the architecture of a text_config is not the server's") {
  CHECK(read(R"({"text_config": {"architectures": ["DeepseekV3ForCausalLM"]}})").architecture.empty());
}

TEST_CASE("numbers that only Python writes are no values") {
  const ConfigKeys keys =
      read(R"({"a": Infinity, "b": [0.0, -Infinity], "c": NaN, "d": "NaN \"Infinity", "e": 1})");
  CHECK(keys.values.at("a") == ConfigValue(JsonScalar(std::monostate{})));
  CHECK(keys.values.at("c") == ConfigValue(JsonScalar(std::monostate{})));
  CHECK(keys.values.at("d") == ConfigValue(JsonScalar(std::string("NaN \"Infinity"))));
  CHECK(keys.values.at("e") == number(1));
}

TEST_CASE("every key of a config has its value, and a list or an object is there without one") {
  const ConfigKeys keys = read(R"({"a": 1, "b": null, "c": "x", "d": true, "e": 0.5, "f": [1], "g": {"h": 2},
    "i": [], "architectures": ["X"], "eagle_config": {"use_aux_hidden_state": false}})");
  const auto& values = keys.values;
  CHECK(values.at("a") == number(1));
  CHECK(values.at("b") == ConfigValue(JsonScalar(std::monostate{})));
  CHECK(values.at("c") == ConfigValue(JsonScalar(std::string("x"))));
  CHECK(values.at("d") == ConfigValue(JsonScalar(true)));
  CHECK(values.at("e") == ConfigValue(JsonScalar(0.5)));
  CHECK(values.at("f") == std::nullopt);
  CHECK(values.at("g") == std::nullopt);
  CHECK_FALSE(values.contains("i"));
  CHECK_FALSE(values.contains("architectures"));
  CHECK(values.at("use_aux_hidden_state") == ConfigValue(JsonScalar(false)));
  CHECK(keys.complete);
}

TEST_CASE("a config.json that is no JSON object is refused by its name") {
  CHECK_THROWS_WITH(read("{"), Catch::Matchers::ContainsSubstring("config.json: no JSON: "));
  CHECK_THROWS_WITH(read("[1, 2]"), "config.json: a config.json is an object");
  CHECK_THROWS_WITH(read("{\"a\": " + std::string(100, '[') + std::string(100, ']') + "}"),
                    "config.json: nested more than 64 deep");
}
