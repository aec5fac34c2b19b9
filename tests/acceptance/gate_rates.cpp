// How often the gate errs: whole comparisons of launches that are drawn, from a result with many launches, or
// from a log-normal distribution, and judged by the engine itself. What scripts/accept gate asks for.
//
//   gate_rates --result FILE | --deviation SD  --launches L --cases N --runs R [--slowdown X | --thresholds
//   X]
//              [--blocks | --in-turn]
//
// --slowdown: the new side is X slower (0.05: 5 %); --thresholds: by X times the threshold of each case.
// --blocks: launches that followed each other stay together; --in-turn: those of both sides of a look do,
// ABBA, as --against makes them. Prints one line of JSON: of the runs the share in which a case is a
// regression, and of the cases the share that is, for each way to confirm.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "gate/cases.hpp"
#include "gate/compare.hpp"
#include "gate/look.hpp"

using namespace ringside;

namespace {

struct Options {
  std::string result;
  double deviation = 0;
  std::size_t launches = 5;
  std::size_t cases = 100;
  int runs = 1000;
  double slowdown = 0;
  double thresholds = 0;
  bool blocks = false;
  bool in_turn = false;
};

Options parse(std::span<char*> words) {
  Options options;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string name = words[i];
    if (name == "--blocks" || name == "--in-turn") {
      options.blocks = true;
      options.in_turn = options.in_turn || name == "--in-turn";
      continue;
    }
    if (i + 1 == words.size()) throw UsageError(name + " needs a value");
    const char* value = words[++i];
    if (name == "--result")
      options.result = value;
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
    else if (name == "--thresholds")
      options.thresholds = std::atof(value);
    else
      throw UsageError("unknown option " + name);
  }
  return options;
}

// The launches of one case that a run needs, set by set, each launch once.
class Source {
 public:
  Source(const Options& options, std::size_t recorded) : options_(options) {
    if (options.result.empty()) return;
    const Document document =
        document_from_json(read_input(options.result, std::size_t{1} << 30), options.result);
    for (const Row& row : document.rows) {
      if (std::vector<double> medians = launch_medians(row); medians.size() >= recorded)
        recorded_.push_back(std::move(medians));
    }
    if (recorded_.empty()) throw UsageError(options.result + " has too few launches");
  }

  // `count` launches in the order in which they are handed out.
  std::vector<double> draw(std::size_t index, std::size_t count) {
    std::vector<double> drawn;
    if (recorded_.empty()) {
      std::lognormal_distribution<double> time(9.2, options_.deviation);  // about 10 us
      for (std::size_t i = 0; i < count; ++i) drawn.push_back(time(random_));
      return drawn;
    }
    const std::vector<double>& all = recorded_[index % recorded_.size()];
    if (!options_.blocks) {
      std::sample(all.begin(), all.end(), std::back_inserter(drawn), count, random_);
      std::shuffle(drawn.begin(), drawn.end(), random_);
      return drawn;
    }
    // Each set of launches in one piece, anywhere, or both sides of a look in one, in turn; pieces don't
    // overlap.
    const std::size_t length = options_.in_turn ? 2 * options_.launches : options_.launches;
    std::vector<std::size_t> pieces(all.size() / length);
    for (std::size_t i = 0; i < pieces.size(); ++i) pieces[i] = i;
    std::shuffle(pieces.begin(), pieces.end(), random_);
    for (std::size_t i = 0; drawn.size() < count; ++i) {
      const std::span<const double> piece = std::span(all).subspan(pieces.at(i) * length, length);
      if (!options_.in_turn) {
        drawn.insert(drawn.end(), piece.begin(), piece.end());
        continue;
      }
      for (const bool now : {false, true}) {
        for (std::size_t k = 0; k < length; ++k) {
          const bool second = k % 4 == 1 || k % 4 == 2;  // ABBA
          if (second == now) drawn.push_back(piece[k]);
        }
      }
    }
    return drawn;
  }

  std::size_t recorded_cases() const { return recorded_.size(); }

 private:
  const Options& options_;
  std::vector<std::vector<double>> recorded_;
  std::mt19937_64 random_{1};
};

void add_case(Document& document, std::size_t index, std::span<const double> medians, double factor) {
  Row row;
  row.params.strategy = row.params.family = "s";
  row.params.ranks = 2;
  row.params.bytes = {2 * (index + 1)};
  row.status = Status::pass;
  for (const double median : medians) {
    LaunchSamples launch;
    launch.launch = static_cast<int>(row.launches.size());
    launch.samples_ns = {median * factor};
    row.launches.push_back(std::move(launch));
  }
  document.rows.push_back(std::move(row));
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
  Document again_base, again_now, calibration;
};

// Base, new, both again, and an A/A run of twice as many.
Sweeps draw_sweeps(const Options& options, Source& source) {
  Sweeps sweeps;
  sweeps.calibration.complete = true;
  const std::size_t launches = options.launches;
  for (std::size_t i = 0; i < options.cases; ++i) {
    const std::vector<double> drawn = source.draw(i, 6 * launches);
    const std::span<const double> all(drawn);
    const auto set = [&](std::size_t index) { return all.subspan(index * launches, launches); };
    add_case(sweeps.calibration, i, all.subspan(4 * launches), 1);
    add_case(sweeps.base.document, i, set(0), 1);
    add_case(sweeps.again_base, i, set(2), 1);
    double factor = 1 + options.slowdown;
    if (options.thresholds > 0) {
      Comparison comparison;
      const Calibration one = calibrate(sweeps.calibration);
      set_threshold(comparison, look({set(0).begin(), set(0).end()}, {set(1).begin(), set(1).end()}),
                    one.threshold(case_key(sweeps.calibration.rows.back().params), launches));
      factor = 1 + options.thresholds * comparison.threshold;
    }
    add_case(sweeps.now.document, i, set(1), factor);
    add_case(sweeps.again_now, i, set(3), factor);
  }
  return sweeps;
}

void print(const Options& options) {
  Source source(options, 6 * options.launches);
  Rates first, fresh, seen, none;
  double threshold = 0;
  for (int run = 0; run < options.runs; ++run) {
    const Sweeps sweeps = draw_sweeps(options, source);
    const Document result = compare(sweeps.base, sweeps.now, calibrate(sweeps.calibration), false);
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
      "{{\"recorded_cases\": {}, \"threshold\": {:.4f}, \"first_look\": {}, \"fresh_both\": {}, "
      "\"fresh_new\": {}, \"unconfirmed\": {}}}\n",
      source.recorded_cases(), threshold / all, rates(first), rates(fresh), rates(seen), rates(none));
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
