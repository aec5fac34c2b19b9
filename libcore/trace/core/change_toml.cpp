#include <fmt/format.h>

#include "scenario/toml_reader.hpp"
#include "trace/core/what_if.hpp"

namespace ringside {

namespace {

constexpr const char* kFolder = "changes";

Value parse_value(const std::string& text) {
  if (text == "absent") return None{};
  if (text == "True" || text == "False") return text == "True";
  return parse_scalar(text);
}

ArgumentChange read_change(const TomlTable& table) {
  ArgumentChange change;
  change.field = table.get<std::string>("field");
  if (const auto word = table.find_text("values")) {
    if (*word != "choices") throw table.error("values", "an array of values or \"choices\" was expected");
    change.all_choices = true;
  } else {
    for (const std::string& text : table.get<std::vector<std::string>>("values"))
      change.values.push_back(parse_value(text));
  }
  if (const auto with = table.find_table("with"))
    for (const std::string& field : with->keys())
      change.with.emplace_back(field, with->get<std::string>(field));
  change.cost = table.get<int>("cost", {1, 99});
  change.gives_up = table.get<std::string>("gives_up");
  return change;
}

}  // namespace

std::vector<ArgumentChange> load_changes() {
  std::vector<ArgumentChange> changes;
  for (const ScenarioText& scenario : list_scenarios(kFolder)) {
    const TomlDocument document(scenario);
    for (const TomlTable& table : document.root().tables("change")) changes.push_back(read_change(table));
    document.finish();
  }
  return changes;
}

}  // namespace ringside
