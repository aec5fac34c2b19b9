#include "run/spec_allreduce.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "base/text.hpp"
#include "base/units.hpp"
#include "machine/measured_times.hpp"

namespace ringside {
namespace {

constexpr std::size_t kMostFile = 64u << 20;
constexpr double kMeasured = 1.1;  // one sigma of the factor between a benchmark's calls and a server's own

std::string ranks_text(const std::vector<MeasuredTimes>& times) {
  std::set<int> ranks;
  for (const MeasuredTimes& one : times) {
    if (one.collective == Collective::allreduce) ranks.insert(one.ranks);
  }
  return ranks.empty() ? "it has none of an allreduce"
                       : fmt::format("it has them of {} ranks", fmt::join(ranks, ", "));
}

}  // namespace

SpecAllreduce read_allreduce_file(const std::string& path, int ranks) {
  SpecAllreduce read;
  read.text = read_input(path, kMostFile);
  const std::vector<MeasuredTimes> times = read_measured_times(read.text, path);
  const MeasuredTimes* const server = server_times(times, Collective::allreduce, ranks);
  if (server == nullptr || server->us.empty()) {
    throw UsageError(
        fmt::format("{}: no times of an allreduce over {} ranks; {}", path, ranks, ranks_text(times)));
  }
  const auto& first = *server->us.begin();
  const auto& last = *server->us.rbegin();
  read.said =
      fmt::format("{}: {} sizes, {} us at {} to {} us at {}", server->source, server->us.size(),
                  format_three_digits(first.second), format_size({static_cast<std::uint64_t>(first.first)}),
                  format_three_digits(last.second), format_size({static_cast<std::uint64_t>(last.first)}));
  if (!server->doubt.empty()) read.said += "; " + server->doubt;
  read.times = collective_times(server->us, Origin::measured, server->source, kMeasured);
  return read;
}

}  // namespace ringside
