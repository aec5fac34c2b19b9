// How often the gate errs: whole comparisons of launches that are drawn, from results with many launches,
// each of one time, or from a log-normal distribution, and judged by the engine itself. What scripts/accept
// gate asks for.
//
//   gate_rates --result FILE... | --deviation SD  --launches L --cases N --runs R [--slowdown X |
//   --thresholds X]
//              [--times [--calibrations K] | --in-turn]
//
// --slowdown: the new side is X slower (0.05: 5 %); --thresholds: by X times the threshold of each case.
// Without --times and --in-turn all launches of a run are of one file, in any order. --times: each side of a
// look, and each of K calibrations, of a file of its own, launches that followed each other. --in-turn:
// likewise each look, its sides in turn, ABBA, as --against makes them. Prints one line of JSON: of the runs
// the share in which a case is a regression, and of the cases the share that is, for each way to confirm.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "gate/cases.hpp"
#include "gate/compare.hpp"
#include "gate/look.hpp"
#include "stats/order.hpp"

using namespace ringside;

namespace {

enum class Draw { one_time, times, in_turn };

struct Options {
  std::vector<std::string> results;
  double deviation = 0;
  std::size_t launches = 5;
  std::size_t cases = 100;
  int runs = 1000;
  double slowdown = 0;
  double thresholds = 0;
  Draw draw = Draw::one_time;
  std::size_t calibrations = 1;
};

Options parse(std::span<char*> words) {
  Options options;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string name = words[i];
    if (name == "--times" || name == "--in-turn") {
      options.draw = name == "--times" ? Draw::times : Draw::in_turn;
      continue;
    }
    if (i + 1 == words.size()) throw UsageError(name + " needs a value");
    const char* value = words[++i];
    if (name == "--result")
      options.results.emplace_back(value);
    else if (name == "--deviation")
      options.deviation = std::atof(value);
    else if (name == "--launches")
      options.launches = static_cast<std::size_t>(std::atoi(value));
    else if (name == "--cases")
      options.cases = static_cast<std::size_t>(std::atoi(value));
    else if (name == "--runs")
      options.runs = std::atoi(value);
    else if (name == "--slowdown")
      options.slowdown = std::atof(value);
    else if (name == "--calibrations")
      options.calibrations = static_cast<std::size_t>(std::max(1, std::atoi(value)));
    else if (name == "--thresholds")
      options.thresholds = std::atof(value);
    else
      throw UsageError("unknown option " + name);
  }
  return options;
}

// A launch of one case: its median, and what the link gave at best when it was made.
struct OneLaunch {
  double median_ns = 0;
  std::optional<double> floor_ns;
};
using Launches = std::vector<OneLaunch>;

// What one case of a run needs; a calibration is of one time or more.
struct Drawn {
  Launches base, now, again_base, again_now;
  std::vector<Launches> calibrations;
};

class Source {
 public:
  explicit Source(const Options& options) : options_(options) {
    for (const std::string& path : options.results) {
      std::vector<Launches>& file = files_.emplace_back();
      const Document document = document_from_json(read_input(path, std::size_t{1} << 30), path);
      for (const Row& row : document.rows) {
        Launches& launches = file.emplace_back();
        for (const LaunchSamples& launch : row.launches)
          launches.push_back({median(launch.samples_ns), launch.floor_ns ? launch.floor_ns : row.floor_ns});
        if (launches.size() < 6 * options.launches) throw UsageError(path + " has too few launches");
      }
      if (file.empty() || file.size() != files_.front().size())
        throw UsageError(path + " has other cases than the first one");
    }
    const std::size_t least = options.draw == Draw::times     ? 4 + options.calibrations
                              : options.draw == Draw::in_turn ? 3
                                                              : 1;
    if (!files_.empty() && files_.size() < least)
      throw UsageError(fmt::format("results of {} times are needed", least));
  }

  // Chooses the files that the next cases are drawn from: those of one run are measured together.
  void begin_run() { std::ranges::shuffle(files_, random_); }

  Drawn draw(std::size_t index) {
    const std::size_t n = options_.launches;
    if (files_.empty()) {
      std::lognormal_distribution<double> time(9.2, options_.deviation);  // about 10 us
      const auto side = [&](std::size_t count) {
        Launches launches;
        while (launches.size() < count) launches.push_back({time(random_), std::nullopt});
        return launches;
      };
      return {side(n), side(n), side(n), side(n), {side(2 * n)}};
    }
    const auto of_file = [&](std::size_t file) -> const Launches& {
      return files_[file][index % files_[file].size()];
    };
    switch (options_.draw) {
      case Draw::times: {
        Drawn drawn{
            piece(of_file(0), n), piece(of_file(1), n), piece(of_file(2), n), piece(of_file(3), n), {}};
        for (std::size_t time = 0; time < options_.calibrations; ++time)
          drawn.calibrations.push_back(piece(of_file(4 + time), 2 * n));
        return drawn;
      }
      case Draw::in_turn: {
        const auto [base, now] = in_turn(piece(of_file(0), 2 * n));
        const auto [again_base, again_now] = in_turn(piece(of_file(1), 2 * n));
        return {base, now, again_base, again_now, {piece(of_file(2), 2 * n)}};
      }
      case Draw::one_time:
        break;
    }
    Launches all = of_file(0);
    std::ranges::shuffle(all, random_);
    const auto part = [&](std::size_t from, std::size_t count) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(from);
      return Launches(begin, begin + static_cast<std::ptrdiff_t>(count));
    };
    return {part(0, n), part(n, n), part(2 * n, n), part(3 * n, n), {part(4 * n, 2 * n)}};
  }

  std::size_t files() const { return files_.size(); }

 private:
  // Launches that followed each other.
  Launches piece(const Launches& all, std::size_t count) {
    const auto length = static_cast<std::ptrdiff_t>(count);
    std::uniform_int_distribution<std::ptrdiff_t> from(0, std::ssize(all) - length);
    const auto begin = all.begin() + from(random_);
    return {begin, begin + length};
  }

  static std::pair<Launches, Launches> in_turn(const Launches& both) {
    std::pair<Launches, Launches> sides;
    for (std::size_t i = 0; i < both.size(); ++i) {
      const bool second = i % 4 == 1 || i % 4 == 2;  // ABBA
      (second ? sides.second : sides.first).push_back(both[i]);
    }
    return sides;
  }

  const Options& options_;
  std::vector<std::vector<Launches>> files_;  // of each file its cases
  std::mt19937_64 random_{1};
};

void add_case(Document& document, std::size_t index, const Launches& launches, double factor) {
  Row row;
  row.params.strategy = row.params.family = "s";
  row.params.ranks = 2;
  row.params.bytes = {2 * (index + 1)};
  row.status = Status::pass;
  for (const OneLaunch& one : launches) {
    LaunchSamples launch;
    launch.launch = static_cast<int>(row.launches.size());
    launch.samples_ns = {one.median_ns * factor};
    launch.floor_ns = one.floor_ns;
    row.launches.push_back(std::move(launch));
  }
  document.rows.push_back(std::move(row));
}

std::vector<double> medians(const Launches& launches) {
  std::vector<double> values;
  for (const OneLaunch& launch : launches) values.push_back(launch.median_ns);
  return values;
}

// Launches of one time are those of a base that was just made.
Sides sides(const Options& options) {
  return options.draw == Draw::in_turn ? Sides::in_turn : Sides::apart;
}

struct Rates {
  double runs = 0;
  double cases = 0;

  void count(const Document& result) {
    std::size_t regressions = 0;
    for (const Row& row : result.rows) regressions += row.status == Status::regress ? 1 : 0;
    runs += regressions > 0 ? 1 : 0;
    cases += static_cast<double>(regressions);
  }
};

struct Sweeps {
  ComparisonSide base, now;
  Document again_base, again_now;
  std::vector<Document> calibrations;

  Calibration calibration() const {
    Calibration all = calibrate(calibrations.front());
    for (std::size_t time = 1; time < calibrations.size(); ++time)
      all = joined(all, calibrate(calibrations[time]));
    return all;
  }
};

// Base, new, both again, and an A/A run of twice as many.
Sweeps draw_sweeps(const Options& options, Source& source) {
  Sweeps sweeps;
  source.begin_run();
  for (std::size_t i = 0; i < options.cases; ++i) {
    const Drawn drawn = source.draw(i);
    sweeps.calibrations.resize(drawn.calibrations.size());
    for (std::size_t time = 0; time < drawn.calibrations.size(); ++time)
      add_case(sweeps.calibrations[time], i, drawn.calibrations[time], 1);
    add_case(sweeps.base.document, i, drawn.base, 1);
    add_case(sweeps.again_base, i, drawn.again_base, 1);
    double factor = 1 + options.slowdown;
    if (options.thresholds > 0) {
      Comparison comparison;
      const std::string key = case_key(sweeps.base.document.rows.back().params);
      set_threshold(comparison, look(medians(drawn.base), medians(drawn.now)),
                    sweeps.calibration().threshold(key, options.launches, sides(options)));
      factor = 1 + options.thresholds * comparison.threshold;
    }
    add_case(sweeps.now.document, i, drawn.now, factor);
    add_case(sweeps.again_now, i, drawn.again_now, factor);
  }
  return sweeps;
}

void print(const Options& options) {
  Source source(options);
  Rates first, fresh, seen, none;
  double threshold = 0;
  for (int run = 0; run < options.runs; ++run) {
    const Sweeps sweeps = draw_sweeps(options, source);
    const Document result = compare(sweeps.base, sweeps.now, sweeps.calibration(), sides(options), false);
    for (const Row& row : result.rows) threshold += row.comparison->threshold;
    first.count(result);
    Document confirmed = result;
    confirm(confirmed, sweeps.again_base, sweeps.again_now, BaseLaunches::fresh, "");
    fresh.count(confirmed);
    confirmed = result;
    confirm(confirmed, sweeps.base.document, sweeps.again_now, BaseLaunches::seen, "");
    seen.count(confirmed);
    confirmed = result;
    leave_unconfirmed(confirmed, "");
    none.count(confirmed);
  }
  const double all = static_cast<double>(options.cases) * options.runs;
  const auto rates = [&](const Rates& counted) {
    return fmt::format("{{\"runs\": {:.6f}, \"cases\": {:.7f}}}", counted.runs / options.runs,
                       counted.cases / all);
  };
  fmt::print(
      "{{\"files\": {}, \"threshold\": {:.4f}, \"first_look\": {}, \"fresh_both\": {}, "
      "\"fresh_new\": {}, \"unconfirmed\": {}}}\n",
      source.files(), threshold / all, rates(first), rates(fresh), rates(seen), rates(none));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    print(parse(std::span(argv, static_cast<std::size_t>(argc))));
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "gate_rates: {}\n", error.what());
    return 2;
  }
}
