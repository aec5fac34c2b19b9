#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "support/edition.hpp"
#include "support/query.hpp"

namespace ringside {

enum class Outcome { holds, fails, unknown };

// What became of a rule, or of all rules of a path.
struct RuleResult {
  Outcome outcome = Outcome::holds;
  std::string reason{};                // why it fails
  std::vector<std::string> missing{};  // what would have to be known; empty unless unknown

  static RuleResult failed(std::string reason);
  static RuleResult open(std::string missing);
};

// What a rule demands, one struct for each kind. A map is by the number of ranks; a number that has no entry
// fails.
namespace demand {

struct Ranks {
  std::vector<int> any_of;
};
struct RanksNot {
  std::vector<int> none_of;
};
struct RanksFrom {
  int least;
};
struct Capabilities {  // compute capabilities, 90 for 9.0
  std::vector<int> any_of;
};
struct Majors {  // of the compute capability
  std::vector<int> any_of;
};
struct Link {
  PairLink least;
};
struct Multicast {};
struct Nccl {
  int least;
};
struct DTypes {
  std::vector<DType> any_of;
};
struct Multiple {
  Bytes of;
};
// A limit of the message's size.
struct Size {
  enum class Kind { below, at_most, from };
  Kind kind;
  std::map<int, Bytes> by_ranks;
  std::optional<Bytes> for_all;
};
struct Outside {  // up to `low`, or from `high` on
  Bytes low;
  Bytes high;
};
struct Switch {
  std::string name;  // a variable, or a flag ("--x": "on" or "off")
  std::string by_default;
  std::string takes;
};
struct Fact {
  std::string name;
};
struct GivesWayTo {  // none of these paths takes the call
  std::vector<std::string> paths;
};
struct UnlessStarted {  // the server could not start that path
  std::string path;
};
struct Unread {  // what the source says there is not known
  std::string what;
};
struct Never {
  std::string why;
};

using Any = std::variant<Ranks, RanksNot, RanksFrom, Capabilities, Majors, Link, Multicast, Nccl, DTypes,
                         Multiple, Size, Outside, Switch, Fact, GivesWayTo, UnlessStarted, Unread, Never>;

}  // namespace demand

// One rule of a path. Outside of its period and of what it is for it holds.
struct SupportRule {
  Period period;
  std::vector<int> for_capabilities;
  std::vector<int> for_majors;
  std::vector<int> not_majors;
  std::vector<int> for_ranks;
  std::optional<Mode> mode;
  std::vector<std::string> when_started;   // only where the server started these paths
  std::vector<std::string> overridden_by;  // switches that change it in ways that no rule describes
  demand::Any demand;
  std::string why;     // in place of the reason that the demand gives
  std::string source;  // file, commit or pull request; empty: the path's

  // Whether it is settled when the server starts, for all calls.
  bool at_start() const;
};

// How the other paths of the same table stand.
struct OtherPaths {
  std::function<RuleResult(const std::string& path)> started;
  std::function<RuleResult(const std::string& path)> takes;
  std::function<std::string(const std::string& fact)> fact_title;
};

RuleResult judge(const SupportRule& rule, const Edition& edition, const SupportQuery& query,
                 const OtherPaths& others);

// "9.0" for 90.
std::string capability_text(int capability);

}  // namespace ringside
