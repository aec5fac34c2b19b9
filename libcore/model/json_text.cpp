#include "model/json_text.hpp"

#include <nlohmann/json.hpp>

#include "base/printable.hpp"

namespace ringside {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string json_string(std::string_view text) {
  return harmless_json(dump(Json(text)));
}

void JsonText::begin_object() {
  begin('{', false);
}
void JsonText::end_object() {
  end('}');
}
void JsonText::begin_array(Layout layout) {
  begin('[', layout == Layout::line);
}
void JsonText::end_array() {
  end(']');
}

void JsonText::key(std::string_view name) {
  separate();
  text_ += '"';
  text_ += name;
  text_ += pretty_ ? "\": " : "\":";
  after_key_ = true;
}

void JsonText::null() {
  append("null");
}
void JsonText::truth(bool value) {
  append(value ? "true" : "false");
}
void JsonText::whole(std::int64_t value) {
  append(std::to_string(value));
}
void JsonText::whole(std::string_view digits) {
  append(digits);
}
void JsonText::number(double value) {
  append(dump(Json(value)));
}
void JsonText::string(std::string_view value) {
  append(json_string(value));
}

void JsonText::numbers(const std::vector<double>& values) {
  separate();
  for (const char c : dump(Json(values))) {
    text_ += c;
    if (c == ',' && pretty_) text_ += ' ';
  }
}

void JsonText::facts(const std::vector<std::pair<std::string, std::string>>& pairs) {
  Json object = Json::object();  // the later of two that have the same key
  for (const auto& [name, value] : pairs) object[name] = value;
  begin_object();
  for (const auto& [name, value] : object.items()) {
    const std::string escaped = json_string(name);
    key(std::string_view(escaped).substr(1, escaped.size() - 2));
    append(harmless_json(dump(value)));
  }
  end_object();
}

std::string JsonText::take() && {
  text_ += '\n';
  return std::move(text_);
}

void JsonText::begin(char bracket, bool on_one_line) {
  separate();
  text_ += bracket;
  levels_.push_back({on_one_line});
}

void JsonText::end(char bracket) {
  const Level level = levels_.back();
  levels_.pop_back();
  if (!level.empty && !level.on_one_line) new_line();
  text_ += bracket;
}

void JsonText::append(std::string_view value) {
  separate();
  text_ += value;
}

void JsonText::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (levels_.empty()) return;
  Level& level = levels_.back();
  if (!level.empty) text_ += pretty_ && level.on_one_line ? ", " : ",";
  if (!level.on_one_line) new_line();
  level.empty = false;
}

void JsonText::new_line() {
  if (!pretty_) return;
  text_ += '\n';
  text_.append(2 * levels_.size(), ' ');
}

}  // namespace ringside
