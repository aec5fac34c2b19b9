#include "machine/published.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/errors.hpp"
#include "scenario/toml_reader.hpp"

namespace ringside {
namespace {

constexpr double kNsPerUs = 1e3;

PublishedTable read_table(const TomlTable& text, const std::vector<PublishedGpu>& gpus) {
  PublishedTable table;
  table.gpu = text.get<std::string>("gpu");
  if (std::ranges::find(gpus, table.gpu, &PublishedGpu::name) == gpus.end())
    throw text.error("gpu", fmt::format("'{}' is the name of no [[gpu]]", table.gpu));
  table.gpus = text.get<int>("gpus", {2, 1024});
  table.library = text.get<std::string>("library");
  table.version = text.get<std::string>("version");
  table.first = text.get<Bytes>("first", {1, 1e9});
  for (const double us : text.get<std::vector<double>>("us", {0.001, 1e9}))
    table.times_ns.push_back(us * kNsPerUs);
  if (table.times_ns.empty() || table.times_ns.size() > 32) throw text.error("us", "must hold 1 to 32 times");
  return table;
}

}  // namespace

PublishedTables read_published_tables(const ScenarioText& text) {
  const TomlDocument document(text);
  const TomlTable root = document.root();
  PublishedTables tables;
  tables.source = root.get<std::string>("source");
  tables.date = root.get<std::string>("date");
  tables.license = root.get<std::string>("license");
  tables.mode = root.find_name("mode", parse_mode).value_or(Mode::graph);
  tables.defects = root.get<std::vector<std::string>>("defects");
  for (const TomlTable& gpu : root.tables("gpu")) {
    tables.gpus.push_back({gpu.get<std::string>("name"), gpu.get<std::vector<std::string>>("driver_names")});
  }
  for (const TomlTable& table : root.tables("table")) tables.tables.push_back(read_table(table, tables.gpus));
  document.finish();
  return tables;
}

const PublishedTables& published_tables() {
  static const PublishedTables tables = read_published_tables(find_scenario("published", "allreduce"));
  return tables;
}

const PublishedTable* PublishedTables::find(std::string_view driver_name, int count,
                                            std::string_view library) const {
  const auto gpu = std::ranges::find_if(gpus, [&](const PublishedGpu& candidate) {
    return std::ranges::find(candidate.driver_names, driver_name) != candidate.driver_names.end();
  });
  if (gpu == gpus.end()) return nullptr;
  const auto table = std::ranges::find_if(tables, [&](const PublishedTable& candidate) {
    return candidate.gpu == gpu->name && candidate.gpus == count && candidate.library == library;
  });
  return table == tables.end() ? nullptr : &*table;
}

std::optional<PublishedTime> published_time(const PublishedTable& table, Bytes bytes) {
  if (bytes < table.first || bytes > table.last()) return std::nullopt;
  const double place =
      std::log2(static_cast<double>(bytes.count)) - std::log2(static_cast<double>(table.first.count));
  const auto below = static_cast<std::size_t>(std::bit_width(bytes.count / table.first.count) - 1);
  const double lower = table.times_ns[below];
  if (table.first.count << below == bytes.count) return PublishedTime{lower, false};
  const double upper = table.times_ns[below + 1];
  return PublishedTime{lower * std::pow(upper / lower, place - static_cast<double>(below)), true};
}

}  // namespace ringside
