#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/doctor_result.hpp"

namespace ringside {

// What is known of a box: facts by name. Collectors write them, checks read them, and a check goes by nothing
// else. A fact that nobody wrote is not known, and so is one that somebody could not find out, with a reason.
class BoxFacts {
 public:
  void set(const std::string& name, std::string value);
  void set(const std::string& name, const char* value) { set(name, std::string(value)); }
  void set(const std::string& name, double value);
  void set(const std::string& name, bool value);  // "yes", "no"
  void not_known(const std::string& name, std::string reason);

  std::optional<std::string> text(const std::string& name) const;
  std::optional<double> number(const std::string& name) const;  // nothing where it is no number
  std::optional<bool> flag(const std::string& name) const;
  std::string text_or(const std::string& name, const std::string& otherwise) const;
  int count(const std::string& name) const;  // a whole number; 0 where it is not known

  // Why a fact is not known.
  std::string why(const std::string& name) const;

  // Values of all facts whose names begin so, by what follows ("env." -> "NCCL_ALGO").
  std::map<std::string, std::string> below(const std::string& prefix) const;

  std::vector<BoxFact> list() const;  // by name

 private:
  std::map<std::string, BoxFact> facts_;
};

// Facts from a file: a Document that doctor wrote, or lines "name = value" and "name ? reason" with # before
// comments. Throws UsageError with the place.
BoxFacts read_box_facts(const std::string& text, const std::string& origin);
BoxFacts box_facts(const std::vector<BoxFact>& facts);

}  // namespace ringside
