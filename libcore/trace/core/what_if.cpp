#include "trace/core/what_if.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "trace/sglang/trace_launch.hpp"

namespace ringside {

namespace {

// One value of one change, ready to be applied.
struct Option {
  std::vector<std::pair<std::string, Value>> fields;
  std::string text;  // "--moe-a2a-backend none"
  const ArgumentChange* change;
  bool takes_back = false;  // leaves out what the version's argument parser refuses
};

std::string flag_name(const Pipeline& pipeline, const std::string& field) {
  for (const ServerFlag& flag : pipeline.flags)
    if (flag.field == field) return flag.names.front();
  std::string name = "--" + field;
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string change_text(const Pipeline& pipeline, const std::string& field, const Value& value, bool absent) {
  const std::string name = flag_name(pipeline, field);
  if (absent) return "without " + name;
  if (const auto* flag = value.as<bool>()) return *flag ? name : "without " + name;
  return fmt::format("{} {}", name, value.as<std::string>() ? *value.as<std::string>() : to_text(value));
}

class Search {
 public:
  Search(const Pipeline& pipeline, const Launch& launch, const std::string& outcome,
         const std::vector<Signature>& signatures)
      : pipeline_(pipeline), launch_(launch), outcome_(outcome), signatures_(signatures) {}

  std::vector<Counterfactual> run(const std::vector<ArgumentChange>& changes) {
    add_take_back();
    for (const ArgumentChange& change : changes) add_options(change);
    for (const Option& option : options_) attempt({&option});
    const bool mended = std::any_of(found_.begin(), found_.end(), [](const Counterfactual& found) {
      return found.outcome == kNoFailureFound;
    });
    if (!mended) try_pairs();
    std::sort(found_.begin(), found_.end(), [](const Counterfactual& a, const Counterfactual& b) {
      const auto key = [](const Counterfactual& c) {
        return std::tuple(c.outcome != kNoFailureFound, c.changes.size(), c.cost, c.changes);
      };
      return key(a) < key(b);
    });
    return std::move(found_);
  }

 private:
  Value current(const std::string& field) const { return initial_value(pipeline_, launch_, "args." + field); }

  void add_take_back() {
    take_back_.cost = 1;
    take_back_.gives_up = "what this version does not have";
    if (!launch_.refused.empty())
      options_.push_back({{}, "without what this version refuses", &take_back_, true});
  }

  void add_options(const ArgumentChange& change) {
    if (!pipeline_.fields.contains(change.field) && !launch_.args.contains(change.field)) return;
    std::vector<Value> values = change.values;
    if (change.all_choices)
      for (const ServerFlag& flag : pipeline_.flags)
        if (flag.field == change.field) values.insert(values.end(), flag.choices.begin(), flag.choices.end());
    for (const Value& value : values) add_option(change, value);
  }

  void add_option(const ArgumentChange& change, const Value& value) {
    const bool absent = value.is_none();
    const auto standard = pipeline_.fields.find(change.field);
    Value wanted = absent && standard != pipeline_.fields.end() ? standard->second : value;
    if (const auto* text = wanted.as<std::string>(); text && *text == "tp_size") wanted = current("tp_size");
    if (wanted.is_unknown() || equal(wanted, current(change.field)) == Truth::yes) return;
    Option option{
        {{change.field, wanted}}, change_text(pipeline_, change.field, wanted, absent), &change, false};
    for (const Option& known : options_)
      if (known.text == option.text) return;
    for (const auto& [field, source] : change.with) {
      const Value copied = current(source);
      option.fields.emplace_back(field, copied);
      option.text += " " + change_text(pipeline_, field, copied, false);
    }
    options_.push_back(std::move(option));
  }

  static bool mends(const Option& option, const RefusedArgument& refused) {
    return option.takes_back || std::any_of(option.fields.begin(), option.fields.end(),
                                            [&](const auto& field) { return field.first == refused.field; });
  }

  // Whether the changes lead to another outcome, which is then kept.
  bool attempt(const std::vector<const Option*>& set) {
    Launch changed = launch_;
    Counterfactual found;
    for (const Option* option : set) {
      for (const auto& [field, value] : option->fields) changed.args[field] = value;
      if (option->takes_back)
        for (const RefusedArgument& refused : launch_.refused) changed.args.erase(refused.field);
      std::erase_if(changed.refused, [&](const RefusedArgument& refused) { return mends(*option, refused); });
      found.changes.push_back(option->text);
      found.cost += option->change->cost;
      found.gives_up += (found.gives_up.empty() ? "" : "; ") + option->change->gives_up;
    }
    found.outcome = outcome_of(evaluate(pipeline_, changed), signatures_);
    if (found.outcome == outcome_ || found.outcome == kUnknown) return false;
    found_.push_back(std::move(found));
    return true;
  }

  static bool same_field(const Option& a, const Option& b) {
    return !a.fields.empty() && !b.fields.empty() && a.fields.front().first == b.fields.front().first;
  }

  void try_pairs() {
    const std::size_t singles = found_.size();
    for (std::size_t i = 0; i < options_.size(); ++i) {
      for (std::size_t j = i + 1; j < options_.size(); ++j) {
        if (same_field(options_[i], options_[j])) continue;
        if (attempt({&options_[i], &options_[j]}) && found_.back().outcome != kNoFailureFound)
          found_.pop_back();
      }
    }
    // A pair without a failure says more than a single change into another death.
    if (found_.size() > singles)
      found_.erase(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(singles));
  }

  const Pipeline& pipeline_;
  const Launch& launch_;
  const std::string& outcome_;
  const std::vector<Signature>& signatures_;
  ArgumentChange take_back_;
  std::vector<Option> options_;
  std::vector<Counterfactual> found_;
};

}  // namespace

std::vector<Counterfactual> what_if(const Pipeline& pipeline, const Launch& launch,
                                    const std::string& outcome, const std::vector<Signature>& signatures,
                                    const std::vector<ArgumentChange>& changes) {
  return Search(pipeline, launch, outcome, signatures).run(changes);
}

}  // namespace ringside
