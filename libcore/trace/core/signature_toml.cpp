#include <fmt/format.h>

#include "scenario/toml_reader.hpp"
#include "trace/core/signature.hpp"

namespace ringside {

namespace {

constexpr const char* kFolder = "signatures";

using Texts = std::vector<std::string>;

Condition parsed(std::string_view text) {
  return Condition(text);
}

Texts texts(const TomlTable& table, std::string_view key) {
  return table.find<Texts>(key).value_or(Texts{});
}

Signature::Match read_match(const TomlTable& table) {
  Signature::Match match;
  match.error = table.find<std::string>("error").value_or("");
  match.file = table.find<std::string>("file").value_or("");
  match.function = table.find<std::string>("function").value_or("");
  match.source = table.find<std::string>("source").value_or("");
  match.message = texts(table, "message");
  match.any_message = texts(table, "any_message");
  match.message_is = texts(table, "message_is");
  match.any_file = texts(table, "any_file");
  match.source_has = table.find<std::string>("source_has").value_or("");
  match.wraps = table.find<bool>("wraps").value_or(false);
  match.near = texts(table, "near");
  match.lines = texts(table, "lines");
  return match;
}

Severity parse_severity(std::string_view text) {
  if (text == "error") return Severity::error;
  if (text == "warning") return Severity::warning;
  throw UsageError(fmt::format("a severity is error or warning, not '{}'", text));
}

Signature read_signature(const ScenarioText& scenario) {
  const TomlDocument document(scenario);
  const TomlTable root = document.root();
  Signature signature;
  signature.id = scenario.name;
  signature.title = root.get<std::string>("title");
  signature.sources = texts(root, "source");
  signature.versions = root.find<std::string>("versions").value_or("");
  signature.severity = root.find_name("severity", parse_severity).value_or(Severity::error);
  signature.match = read_match(root.table("match"));
  const TomlTable explain = root.table("explain");
  signature.symptom = explain.get<std::string>("symptom");
  for (const TomlTable& table : explain.tables("cause"))
    signature.causes.push_back(
        {table.find_name("when", parsed), table.get<std::string>("text"), texts(table, "evidence")});
  if (signature.causes.empty()) throw explain.error("cause", "a signature needs a cause");
  for (const TomlTable& table : explain.tables("not_cause"))
    signature.not_causes.push_back({table.get<std::string>("what"), table.get<std::string>("why"),
                                    table.find_name("when", parsed).value_or(Condition())});
  for (const TomlTable& table : explain.tables("remedy"))
    signature.remedies.push_back({table.get<std::string>("do"), table.get<std::string>("cost"),
                                  table.find_name("when", parsed).value_or(Condition()),
                                  table.find<std::string>("patch").value_or("")});
  document.finish();
  return signature;
}

}  // namespace

std::vector<Signature> load_signatures() {
  std::vector<Signature> signatures;
  for (const ScenarioText& scenario : list_scenarios(kFolder)) signatures.push_back(read_signature(scenario));
  return signatures;
}

}  // namespace ringside
