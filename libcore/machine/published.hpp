#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "model/case.hpp"
#include "scenario/catalogue.hpp"

namespace ringside {

// An allreduce that somebody else has timed on one kind of server (scenarios/published/allreduce.toml).
struct PublishedTable {
  std::string gpu;      // "H200"
  int gpus = 0;         // of one server, all of them take part
  std::string library;  // "NCCL"
  std::string version;  // "2.29.2"
  Bytes first;          // message of the first time; each further one is of twice the message before it
  std::vector<double> times_ns;

  Bytes last() const { return {first.count << (times_ns.size() - 1)}; }
};

// What the driver calls a GPU of the tables.
struct PublishedGpu {
  std::string name;                       // "H100 SXM"
  std::vector<std::string> driver_names;  // "NVIDIA H100 80GB HBM3"
};

struct PublishedTables {
  std::string source;   // "AIConfigurator 095f58a51"
  std::string date;     // of the source's state
  std::string license;  // SPDX
  Mode mode = Mode::graph;
  std::vector<std::string> defects;  // what is known to be wrong or not known about the times
  std::vector<PublishedGpu> gpus;
  std::vector<PublishedTable> tables;

  // The table of servers with so many of the GPU that the driver calls so, or null. The name must be the
  // whole one: "NVIDIA H200 NVL" is another GPU than "NVIDIA H200".
  const PublishedTable* find(std::string_view driver_name, int count, std::string_view library) const;
};

// Those in this binary. Throws UsageError with the place for a text that is none.
const PublishedTables& published_tables();
PublishedTables read_published_tables(const ScenarioText& text);

struct PublishedTime {
  double time_ns = 0;
  bool interpolated = false;  // between the two nearest sizes, evenly in both logarithms
};

// The time of a message, or nothing for one outside of the table's sizes.
std::optional<PublishedTime> published_time(const PublishedTable& table, Bytes bytes);

}  // namespace ringside
