#include <algorithm>
#include <set>

#include "strategy/registry.hpp"
#include "support/catch.hpp"
#include "support/support_table.hpp"

using namespace ringside;

TEST_CASE("Whatever stands in for a path is a family of strategies, and each option is a switch of a rule") {
  REQUIRE(list_support_tables().size() >= 3);
  for (const SupportTable& table : list_support_tables()) {
    std::set<std::string> switches;
    for (const SupportPath& path : table.paths) {
      std::vector<std::string> stand_ins = {path.stand_in};
      for (const SupportKernel& kernel : path.kernels) stand_ins.push_back(kernel.stand_in);
      for (const std::string& family : stand_ins) {
        INFO(table.framework << " " << path.name << ": " << family);
        CHECK((family.empty() || std::ranges::any_of(all_strategies(), [&](const Strategy* strategy) {
                 return strategy->family() == family;
               })));
      }
      for (const SupportRule& rule : path.rules) {
        if (const auto* demanded = std::get_if<demand::Switch>(&rule.demand)) switches.insert(demanded->name);
      }
    }
    for (const SupportOption& option : table.options) {
      INFO(table.framework << " " << option.name);
      CHECK(switches.contains(option.name));
    }
  }
}
