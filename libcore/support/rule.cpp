#include "support/rule.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "machine/versions.hpp"

namespace ringside {
namespace {

constexpr const char* kCapability = "the GPUs' compute capability";

// "2, 4 or 8"
std::string either(std::vector<std::string> words) {
  if (words.size() < 2) return join(words, "");
  const std::string last = words.back();
  words.pop_back();
  return join(words, ", ") + " or " + last;
}

template <typename T, typename Text>
std::string either(const std::vector<T>& values, Text text) {
  std::vector<std::string> words;
  for (const T& value : values) words.push_back(text(value));
  return either(std::move(words));
}

template <typename T>
bool holds(const std::vector<T>& values, const T& value) {
  return std::ranges::find(values, value) != values.end();
}

std::string number(int value) {
  return std::to_string(value);
}

RuleResult when(bool condition, const std::function<std::string()>& reason) {
  return condition ? RuleResult{} : RuleResult::failed(reason());
}

// "--disable-custom-all-reduce", "VLLM_USE_NCCL_SYMM_MEM=1"
std::string setting(const std::string& name, const std::string& value) {
  return name.starts_with("--") && value == "on" ? name : name + "=" + value;
}

struct Judge {
  const SupportQuery& query;
  const OtherPaths& others;

  RuleResult operator()(const demand::Ranks& want) const {
    return when(holds(want.any_of, query.ranks), [&] {
      return fmt::format("takes {} ranks, not {}", either(want.any_of, number), query.ranks);
    });
  }
  RuleResult operator()(const demand::RanksNot& want) const {
    return when(!holds(want.none_of, query.ranks),
                [&] { return fmt::format("is never used for {} ranks", either(want.none_of, number)); });
  }
  RuleResult operator()(const demand::RanksFrom& want) const {
    return when(query.ranks >= want.least,
                [&] { return fmt::format("takes {} ranks or more, not {}", want.least, query.ranks); });
  }
  RuleResult operator()(const demand::Capabilities& want) const {
    if (!query.compute_capability) return RuleResult::open(kCapability);
    return when(holds(want.any_of, *query.compute_capability), [&] {
      return fmt::format("takes compute capability {}, not {}", either(want.any_of, capability_text),
                         capability_text(*query.compute_capability));
    });
  }
  RuleResult operator()(const demand::Majors& want) const {
    if (!query.compute_capability) return RuleResult::open(kCapability);
    return when(holds(want.any_of, *query.compute_capability / 10), [&] {
      return fmt::format("takes compute capability {}, not {}",
                         either(want.any_of, [](int major) { return fmt::format("{}.x", major); }),
                         capability_text(*query.compute_capability));
    });
  }
  RuleResult operator()(const demand::Link& want) const {
    if (!query.link) return RuleResult::open("how the GPUs are linked");
    return when(*query.link <= want.least, [&] {
      return want.least == PairLink::nvlink ? "needs NVLink between every two GPUs"
                                            : "needs peer access between every two GPUs";
    });
  }
  RuleResult operator()(const demand::Multicast&) const {
    if (!query.multicast) return RuleResult::open("whether the GPUs can use multicast");
    return when(*query.multicast, [] { return "needs multicast"; });
  }
  RuleResult operator()(const demand::Nccl& want) const {
    if (!query.nccl) return RuleResult::open("NCCL's version");
    return when(*query.nccl >= want.least, [&] {
      return fmt::format("needs NCCL {} or later, not {}", nccl_version_text(want.least),
                         nccl_version_text(*query.nccl));
    });
  }
  RuleResult operator()(const demand::DTypes& want) const {
    return when(holds(want.any_of, query.dtype), [&] {
      return fmt::format("takes {}, not {}",
                         either(want.any_of, [](DType dtype) { return std::string(to_string(dtype)); }),
                         to_string(query.dtype));
    });
  }
  RuleResult operator()(const demand::Multiple& want) const {
    return when(query.bytes.count % want.of.count == 0,
                [&] { return fmt::format("takes multiples of {} bytes", want.of.count); });
  }
  RuleResult operator()(const demand::Size& want) const {
    using Kind = demand::Size::Kind;
    std::optional<Bytes> limit = want.for_all;
    if (const auto entry = want.by_ranks.find(query.ranks); entry != want.by_ranks.end())
      limit = entry->second;
    if (!limit) {
      std::vector<int> known;
      for (const auto& entry : want.by_ranks) known.push_back(entry.first);
      return RuleResult::failed(fmt::format("takes {} ranks, not {}", either(known, number), query.ranks));
    }
    const bool fits = want.kind == Kind::below     ? query.bytes < *limit
                      : want.kind == Kind::at_most ? query.bytes <= *limit
                                                   : query.bytes >= *limit;
    return when(fits, [&] {
      const char* how = want.kind == Kind::below     ? "messages below"
                        : want.kind == Kind::at_most ? "messages of at most"
                                                     : "messages from";
      return fmt::format("takes {} {}{}", how, format_size(*limit), want.kind == Kind::from ? " on" : "");
    });
  }
  RuleResult operator()(const demand::Outside& want) const {
    return when(query.bytes <= want.low || query.bytes >= want.high, [&] {
      return fmt::format("takes messages up to {} and from {} on", format_size(want.low),
                         format_size(want.high));
    });
  }
  RuleResult operator()(const demand::Switch& want) const {
    const auto set = query.switches.find(want.name);
    if ((set == query.switches.end() ? want.by_default : set->second) == want.takes) return {};
    if (set != query.switches.end())
      return RuleResult::failed(fmt::format("{} switches it off", setting(want.name, set->second)));
    return RuleResult::failed(fmt::format("is off without {}", setting(want.name, want.takes)));
  }
  RuleResult operator()(const demand::Fact& want) const {
    const auto fact = query.facts.find(want.name);
    if (fact == query.facts.end()) return RuleResult::open(others.fact_title(want.name));
    return when(fact->second, [&] { return "needs " + want.name; });
  }
  RuleResult operator()(const demand::GivesWayTo& want) const {
    RuleResult all;
    for (const std::string& path : want.paths) {
      RuleResult other = others.takes(path);
      if (other.outcome == Outcome::holds) return RuleResult::failed("gives way to " + path);
      if (other.outcome != Outcome::unknown) continue;
      all.outcome = Outcome::unknown;
      all.missing.insert(all.missing.end(), other.missing.begin(), other.missing.end());
    }
    return all;
  }
  RuleResult operator()(const demand::UnlessStarted& want) const {
    RuleResult other = others.started(want.path);
    if (other.outcome == Outcome::holds)
      return RuleResult::failed(fmt::format("{} stands in its place", want.path));
    return other.outcome == Outcome::unknown ? other : RuleResult{};
  }
  RuleResult operator()(const demand::Unread& want) const { return RuleResult::open(want.what); }
  RuleResult operator()(const demand::Never& want) const { return RuleResult::failed(want.why); }
};

// Whether the rule is for this call; unknown where that hangs on the compute capability.
Outcome scope(const SupportRule& rule, const SupportQuery& query) {
  if (rule.mode && *rule.mode != query.mode) return Outcome::fails;
  if (!rule.for_ranks.empty() && !holds(rule.for_ranks, query.ranks)) return Outcome::fails;
  if (rule.for_capabilities.empty() && rule.for_majors.empty() && rule.not_majors.empty())
    return Outcome::holds;
  if (!query.compute_capability) return Outcome::unknown;
  const int capability = *query.compute_capability, major = capability / 10;
  const bool meant = (rule.for_capabilities.empty() || holds(rule.for_capabilities, capability)) &&
                     (rule.for_majors.empty() || holds(rule.for_majors, major)) &&
                     !holds(rule.not_majors, major);
  return meant ? Outcome::holds : Outcome::fails;
}

}  // namespace

RuleResult RuleResult::failed(std::string reason) {
  return {Outcome::fails, std::move(reason), {}};
}

RuleResult RuleResult::open(std::string missing) {
  return {Outcome::unknown, {}, {std::move(missing)}};
}

std::string capability_text(int capability) {
  return fmt::format("{}.{}", capability / 10, capability % 10);
}

bool SupportRule::at_start() const {
  using namespace demand;
  const bool of_the_call = std::holds_alternative<DTypes>(demand) ||
                           std::holds_alternative<Multiple>(demand) || std::holds_alternative<Size>(demand) ||
                           std::holds_alternative<Outside>(demand) || std::holds_alternative<Fact>(demand) ||
                           std::holds_alternative<GivesWayTo>(demand) ||
                           std::holds_alternative<Unread>(demand);
  return !of_the_call && !mode;
}

// What is open about whether the rule applies matters only where its demand is not met.
RuleResult judge(const SupportRule& rule, const Edition& edition, const SupportQuery& query,
                 const OtherPaths& others) {
  const Period::Cover cover = rule.period.of(edition);
  if (cover == Period::Cover::none) return {};
  const Outcome meant = scope(rule, query);
  if (meant == Outcome::fails) return {};
  RuleResult open;
  if (cover == Period::Cover::part)
    open.missing.push_back(fmt::format("whether {} has {}", edition.name, rule.period.change_text()));
  if (meant == Outcome::unknown) open.missing.emplace_back(kCapability);
  for (const std::string& path : rule.when_started) {
    const RuleResult started = others.started(path);
    if (started.outcome == Outcome::fails) return {};
    open.missing.insert(open.missing.end(), started.missing.begin(), started.missing.end());
  }
  for (const std::string& name : rule.overridden_by) {
    if (query.switches.contains(name)) return RuleResult::open(fmt::format("what {} does to it", name));
  }
  RuleResult result = std::visit(Judge{query, others}, rule.demand);
  if (result.outcome == Outcome::fails && !rule.why.empty()) result.reason = rule.why;
  if (result.outcome == Outcome::holds || open.missing.empty()) return result;
  open.outcome = Outcome::unknown;
  open.missing.insert(open.missing.end(), result.missing.begin(), result.missing.end());
  return open;
}

}  // namespace ringside
