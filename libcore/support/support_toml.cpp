// Tables of what frameworks support: from scenarios/support/*.toml. docs/support.md explains the keys.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/errors.hpp"
#include "base/text.hpp"
#include "scenario/toml_reader.hpp"
#include "support/support_table.hpp"

namespace ringside {
namespace {

constexpr const char* kFolder = "support";
constexpr Range kRanks{1, 1024};

int parse_whole(std::string_view text) {
  int value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size())
    throw UsageError(fmt::format("'{}' is no whole number", text));
  return value;
}

// "9.0" -> 90
int parse_capability(const std::string& text) {
  const std::vector<std::string> parts = split(text, '.');
  if (parts.size() != 2 || parts[1].size() != 1)
    throw UsageError(fmt::format("'{}' is no compute capability such as 9.0", text));
  return parse_whole(parts[0]) * 10 + parse_whole(parts[1]);
}

// "2.27.3" -> 22703
int parse_nccl(const std::string& text) {
  const std::vector<std::string> parts = split(text, '.');
  if (parts.size() != 3) throw UsageError(fmt::format("'{}' is no version such as 2.27.3", text));
  return parse_whole(parts[0]) * 10000 + parse_whole(parts[1]) * 100 + parse_whole(parts[2]);
}

PairLink parse_link(const std::string& text) {
  if (text == "nvlink") return PairLink::nvlink;
  if (text == "peer") return PairLink::peer;
  throw UsageError(fmt::format("unknown link '{}'; valid: nvlink, peer", text));
}

std::string parse_day(const std::string& text) {
  if (!is_day(text)) throw UsageError(fmt::format("'{}' is no day such as 2026-03-01", text));
  return text;
}

std::vector<int> whole_numbers(const TomlTable& table, std::string_view key) {
  std::vector<int> numbers;
  for (const double number : table.find<std::vector<double>>(key, kRanks).value_or(std::vector<double>{}))
    numbers.push_back(static_cast<int>(number));
  return numbers;
}

Period read_period(const TomlTable& table) {
  Period period;
  period.since = table.find_name("since", parse_day).value_or("");
  period.until = table.find_name("until", parse_day).value_or("");
  period.after = table.find_name("after", parse_day).value_or("");
  if (!period.after.empty() && period.after >= period.since)
    throw table.error("after", "'after' must lie before 'since'");
  if (!period.until.empty() && period.since >= period.until)
    throw table.error("until", "'until' must lie behind 'since'");
  return period;
}

demand::Size read_size(const TomlTable& table, std::string_view key, demand::Size::Kind kind) {
  demand::Size size{kind, {}, {}};
  if (!table.holds_table(key)) {
    size.for_all = table.get<Bytes>(key);
    return size;
  }
  const TomlTable by_ranks = table.table(key);
  for (const std::string& ranks : by_ranks.keys())
    size.by_ranks.emplace(parse_whole(ranks), by_ranks.get<Bytes>(ranks));
  return size;
}

demand::Switch read_switch(const TomlTable& table) {
  return {table.get<std::string>("switch"), table.get<std::string>("default"),
          table.get<std::string>("takes")};
}

demand::Outside read_outside(const TomlTable& table) {
  const auto sizes = table.get<std::vector<Bytes>>("outside");
  if (sizes.size() != 2 || sizes[0] >= sizes[1])
    throw table.error("outside", "'outside' takes two sizes, the smaller first");
  return {sizes[0], sizes[1]};
}

// The one demand that a rule makes.
demand::Any read_demand(const TomlTable& table) {
  using Kind = demand::Size::Kind;
  std::vector<demand::Any> found;
  const auto has = [&](std::string_view key) { return std::ranges::count(table.keys(), key) > 0; };
  if (has("ranks")) found.emplace_back(demand::Ranks{whole_numbers(table, "ranks")});
  if (has("ranks_not")) found.emplace_back(demand::RanksNot{whole_numbers(table, "ranks_not")});
  if (has("ranks_from")) found.emplace_back(demand::RanksFrom{table.get<int>("ranks_from", kRanks)});
  if (has("capabilities"))
    found.emplace_back(demand::Capabilities{*table.find_names("capabilities", parse_capability)});
  if (has("majors")) found.emplace_back(demand::Majors{whole_numbers(table, "majors")});
  if (has("link")) found.emplace_back(demand::Link{*table.find_name("link", parse_link)});
  if (has("multicast")) {
    if (!table.get<bool>("multicast")) throw table.error("multicast", "'multicast' is true or absent");
    found.emplace_back(demand::Multicast{});
  }
  if (has("nccl")) found.emplace_back(demand::Nccl{*table.find_name("nccl", parse_nccl)});
  if (has("dtypes")) found.emplace_back(demand::DTypes{*table.find_names("dtypes", parse_dtype)});
  if (has("multiple")) found.emplace_back(demand::Multiple{table.get<Bytes>("multiple", {1, 1e9})});
  if (has("below")) found.emplace_back(read_size(table, "below", Kind::below));
  if (has("at_most")) found.emplace_back(read_size(table, "at_most", Kind::at_most));
  if (has("from")) found.emplace_back(read_size(table, "from", Kind::from));
  if (has("outside")) found.emplace_back(read_outside(table));
  if (has("switch")) found.emplace_back(read_switch(table));
  if (has("fact")) found.emplace_back(demand::Fact{table.get<std::string>("fact")});
  if (has("gives_way_to"))
    found.emplace_back(demand::GivesWayTo{table.get<std::vector<std::string>>("gives_way_to")});
  if (has("unless_started"))
    found.emplace_back(demand::UnlessStarted{table.get<std::string>("unless_started")});
  if (has("unread")) found.emplace_back(demand::Unread{table.get<std::string>("unread")});
  if (has("never")) found.emplace_back(demand::Never{table.get<std::string>("never")});
  if (found.size() != 1)
    throw table.error("", fmt::format("a rule makes one demand; this one makes {}", found.size()));
  return std::move(found.front());
}

std::vector<SupportRule> read_rules(const TomlTable& owner) {
  std::vector<SupportRule> rules;
  for (const TomlTable& table : owner.tables("rules")) {
    SupportRule rule{
        .period = read_period(table),
        .for_capabilities =
            table.find_names("for_capabilities", parse_capability).value_or(std::vector<int>{}),
        .for_majors = whole_numbers(table, "for_majors"),
        .not_majors = whole_numbers(table, "not_majors"),
        .for_ranks = whole_numbers(table, "for_ranks"),
        .mode = table.find_name("mode", parse_mode),
        .when_started =
            table.find<std::vector<std::string>>("when_started").value_or(std::vector<std::string>{}),
        .overridden_by =
            table.find<std::vector<std::string>>("overridden_by").value_or(std::vector<std::string>{}),
        .demand = read_demand(table),
        .why = table.find<std::string>("why").value_or(""),
        .source = table.find<std::string>("source").value_or("")};
    rules.push_back(std::move(rule));
  }
  return rules;
}

SupportPath read_path(const TomlTable& table) {
  SupportPath path{.name = table.get<std::string>("name"),
                   .title = table.get<std::string>("title"),
                   .source = table.find<std::string>("source").value_or(""),
                   .stand_in = table.find<std::string>("stand_in").value_or(""),
                   .stand_in_unless_ran = table.find<std::string>("stand_in_unless_ran").value_or(""),
                   .period = read_period(table),
                   .rules = read_rules(table),
                   .kernels = {}};
  for (const TomlTable& kernel : table.tables("kernel")) {
    path.kernels.push_back({kernel.get<std::string>("name"),
                            kernel.find<std::string>("stand_in").value_or(""), read_rules(kernel)});
  }
  return path;
}

std::vector<ReadEdition> read_editions(const TomlTable& root) {
  std::vector<ReadEdition> editions;
  for (const TomlTable& table : root.tables("edition")) {
    editions.push_back({table.get<std::string>("version"), *table.find_name("date", parse_day),
                        table.find<std::string>("commit").value_or("")});
    if (editions.size() > 1 && editions.back().date < editions[editions.size() - 2].date)
      throw table.error("date", "editions stand in the order of their dates");
  }
  if (editions.empty()) throw root.error("edition", "a table needs an [[edition]]");
  return editions;
}

// A name that a rule points to and that isn't there would be a rule that never fails.
void check_names(const SupportTable& table, const TomlTable& root) {
  const auto check = [&](const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      if (table.path(name) == nullptr) throw root.error("path", fmt::format("there is no path '{}'", name));
    }
  };
  for (const SupportPath& path : table.paths) {
    for (const SupportRule& rule : path.rules) {
      check(rule.when_started);
      if (const auto* other = std::get_if<demand::GivesWayTo>(&rule.demand)) check(other->paths);
      if (const auto* other = std::get_if<demand::UnlessStarted>(&rule.demand)) check({other->path});
      const auto* fact = std::get_if<demand::Fact>(&rule.demand);
      if (fact != nullptr &&
          std::ranges::find(table.facts, fact->name, &SupportFact::name) == table.facts.end())
        throw root.error("path", fmt::format("there is no fact '{}'", fact->name));
    }
  }
}

}  // namespace

const SupportPath* SupportTable::path(const std::string& name) const {
  const auto found = std::ranges::find(paths, name, &SupportPath::name);
  return found == paths.end() ? nullptr : &*found;
}

SupportTable read_support_table(const ScenarioText& text) {
  const TomlDocument document(text);
  const TomlTable root = document.root();
  SupportTable table;
  table.framework = root.get<std::string>("framework");
  table.title = root.get<std::string>("title");
  table.source = root.find<std::string>("source").value_or("");
  table.chooses = root.find<bool>("chooses").value_or(true);
  table.editions = read_editions(root);
  for (const TomlTable& fact : root.tables("fact"))
    table.facts.push_back(
        {fact.get<std::string>("name"), fact.get<std::string>("title"), fact.find<bool>("assumed")});
  for (const TomlTable& path : root.tables("path")) table.paths.push_back(read_path(path));
  for (const TomlTable& option : root.tables("option")) {
    table.options.push_back({option.get<std::string>("switch"), option.get<std::string>("value"),
                             read_period(option), option.find<std::string>("cost").value_or("")});
  }
  check_names(table, root);
  document.finish();
  return table;
}

SupportTable find_support_table(const std::string& framework) {
  return read_support_table(find_scenario(kFolder, framework));
}

std::vector<SupportTable> list_support_tables() {
  std::vector<SupportTable> tables;
  for (const ScenarioText& text : list_scenarios(kFolder)) tables.push_back(read_support_table(text));
  return tables;
}

}  // namespace ringside
