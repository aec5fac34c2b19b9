#include "report/views/first_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/units.hpp"
#include "stats/order.hpp"

namespace ringside {
namespace {

constexpr double kMs = 1e6;

// Something that a strategy's processes do once, and the row where they take longest for it.
struct Once {
  std::string entry;
  std::string what;
  std::vector<double> times_ns = {};  // of the launches that did it
  int count = 1;                      // in one of them
  const Row* row = nullptr;

  double time_ns() const { return median(times_ns); }
};

void keep_longest(std::vector<Once>& all, const Once& once) {
  const auto same = [&](const Once& known) { return known.entry == once.entry && known.what == once.what; };
  const auto known = std::ranges::find_if(all, same);
  if (known == all.end())
    all.push_back(once);
  else if (known->time_ns() < once.time_ns())
    *known = once;
}

std::vector<Once> of_row(const Row& row) {
  std::vector<Once> all;
  const auto add = [&](const std::string& what, int count, double time_ns) {
    if (!std::isfinite(time_ns)) return;
    auto known = std::ranges::find(all, what, &Once::what);
    if (known == all.end())
      known = all.insert(known, {.entry = entry_name(row.params), .what = what, .count = count, .row = &row});
    known->times_ns.push_back(time_ns);
    known->count = std::max(known->count, count);
  };
  for (const LaunchSamples& launch : row.launches) {
    if (launch.first_call_ns) add("first call", 1, *launch.first_call_ns);
    for (const HeardRange& call : launch.nccl_calls) add(call.name, call.count, call.time_ns);
  }
  return all;
}

}  // namespace

TitledGrid first_call_grid(const Document& document) {
  std::vector<Once> all;
  for (const Row& row : document.rows) {
    for (const Once& once : of_row(row)) keep_longest(all, once);
  }
  // An entry's lines stand together, in the order in which the Document mentions the entries.
  std::vector<Once> ordered;
  for (const Once& first : all) {
    if (std::ranges::find(ordered, first.entry, &Once::entry) != ordered.end()) continue;
    std::ranges::copy_if(all, std::back_inserter(ordered),
                         [&](const Once& once) { return once.entry == first.entry; });
  }
  GridLines columns;
  columns.add({"strategy"}, Align::left);
  columns.add({"what"}, Align::left);
  columns.add({"calls"});
  columns.add({"launches"});
  columns.add({"longest", "ms"});
  columns.add({"at"}, Align::left);
  for (const Once& once : ordered) {
    const Case& params = once.row->params;
    columns.line({once.entry, once.what, fmt::format("{}", once.count),
                  fmt::format("{} of {}", once.times_ns.size(), once.row->launches.size()),
                  format_three_digits(once.time_ns() / kMs),
                  fmt::format("{} {} {}", format_size(params.bytes), to_string(params.dtype),
                              to_string(params.mode))});
  }
  return {"what a process pays once (slowest rank, median of the launches that did it)", columns.take(), ""};
}

}  // namespace ringside
