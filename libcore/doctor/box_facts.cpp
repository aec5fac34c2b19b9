#include "doctor/box_facts.hpp"

#include <fmt/format.h>

#include <charconv>
#include <sstream>

#include "base/errors.hpp"
#include "base/text.hpp"
#include "model/document.hpp"

namespace ringside {
namespace {

BoxFacts from_lines(const std::string& text, const std::string& origin) {
  BoxFacts facts;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::string whole = std::string(trim(line));
    if (whole.empty() || whole.front() == '#') continue;
    const std::size_t sign = whole.find_first_of("=?");
    const std::string name = std::string(trim(std::string_view(whole).substr(0, sign)));
    if (sign == std::string::npos || name.empty() || name.find_first_of(" \t") != std::string::npos)
      throw UsageError(fmt::format("{}:{}: expected 'name = value' or 'name ? reason'", origin, number));
    const std::string rest = std::string(trim(std::string_view(whole).substr(sign + 1)));
    if (facts.text(name) || facts.why(name) != BoxFacts().why(name))
      throw UsageError(fmt::format("{}:{}: '{}' stands there twice", origin, number, name));
    if (whole[sign] == '=') {
      facts.set(name, rest);
    } else {
      facts.not_known(name, rest.empty() ? "not said" : rest);
    }
  }
  return facts;
}

}  // namespace

void BoxFacts::set(const std::string& name, std::string value) {
  facts_[name] = {name, std::move(value), ""};
}

void BoxFacts::set(const std::string& name, double value) {
  set(name, fmt::format("{}", value));
}

void BoxFacts::set(const std::string& name, bool value) {
  set(name, std::string(value ? "yes" : "no"));
}

void BoxFacts::not_known(const std::string& name, std::string reason) {
  facts_[name] = {name, std::nullopt, std::move(reason)};
}

std::optional<std::string> BoxFacts::text(const std::string& name) const {
  const auto found = facts_.find(name);
  return found == facts_.end() ? std::nullopt : found->second.value;
}

std::optional<double> BoxFacts::number(const std::string& name) const {
  const std::optional<std::string> value = text(name);
  if (!value) return std::nullopt;
  double result = 0;
  const auto [end, problem] = std::from_chars(value->data(), value->data() + value->size(), result);
  if (problem != std::errc{} || end != value->data() + value->size()) return std::nullopt;
  return result;
}

std::optional<bool> BoxFacts::flag(const std::string& name) const {
  const std::optional<std::string> value = text(name);
  if (value == "yes") return true;
  if (value == "no") return false;
  return std::nullopt;
}

std::string BoxFacts::text_or(const std::string& name, const std::string& otherwise) const {
  return text(name).value_or(otherwise);
}

int BoxFacts::count(const std::string& name) const {
  const double value = number(name).value_or(0);
  return value > 0 && value < 1e6 ? static_cast<int>(value) : 0;
}

std::string BoxFacts::why(const std::string& name) const {
  const auto found = facts_.find(name);
  if (found == facts_.end()) return "not looked at";
  return found->second.value ? fmt::format("'{}' is no answer", *found->second.value) : found->second.reason;
}

std::map<std::string, std::string> BoxFacts::below(const std::string& prefix) const {
  std::map<std::string, std::string> found;
  for (auto it = facts_.lower_bound(prefix); it != facts_.end() && it->first.starts_with(prefix); ++it) {
    if (it->second.value) found[it->first.substr(prefix.size())] = *it->second.value;
  }
  return found;
}

std::vector<BoxFact> BoxFacts::list() const {
  std::vector<BoxFact> all;
  for (const auto& [name, fact] : facts_) all.push_back(fact);
  return all;
}

BoxFacts box_facts(const std::vector<BoxFact>& facts) {
  BoxFacts result;
  for (const BoxFact& fact : facts) {
    if (fact.value) {
      result.set(fact.name, *fact.value);
    } else {
      result.not_known(fact.name, fact.reason);
    }
  }
  return result;
}

BoxFacts read_box_facts(const std::string& text, const std::string& origin) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) throw UsageError(origin + ": holds no facts");
  if (text[first] != '{') return from_lines(text, origin);
  const Document document = document_from_json(text, origin);
  if (!document.doctor) throw UsageError(origin + ": is no result of doctor");
  return box_facts(document.doctor->facts);
}

}  // namespace ringside
