#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/views/block_match.hpp"
#include "report/views/figures.hpp"

namespace ringside {
namespace {

// One candidate of a block: an entry of one of the Documents.
struct Candidate {
  std::string name;
  std::string family = {};
  std::vector<const Row*> rows = {};  // ascending sizes; those with a result
  double behind = 0;                  // mean logarithm of the ratio to the best of each size
  bool prominent = false;
};

bool drawable(std::optional<double> value) {
  return value && std::isfinite(*value) && *value > 0;
}

double x_of(const Row& row) {
  return static_cast<double>(row.params.bytes.count);
}

std::vector<Candidate> candidates(std::span<const NamedDocument> documents, const MatchedBlocks& blocks) {
  std::vector<Candidate> all;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    if (!blocks.of[i]) continue;
    for (std::size_t e = 0; e < blocks.of[i]->entries.size(); ++e) {
      const std::string& entry = blocks.of[i]->entries[e];
      Candidate candidate{.name = documents.size() == 1 ? entry : documents[i].name + ": " + entry};
      for (const SizeLine& line : blocks.of[i]->lines) {
        const Row* row = line.rows[e];
        if (has_result(row) && drawable(row->time->median_ns) && x_of(*row) > 0)
          candidate.rows.push_back(row);
      }
      if (candidate.rows.empty()) continue;
      candidate.family = candidate.rows.front()->params.family;
      all.push_back(std::move(candidate));
    }
  }
  return all;
}

// Size -> the best median of it.
std::map<Bytes, double> best_of_sizes(const std::vector<Candidate>& all) {
  std::map<Bytes, double> best;
  for (const Candidate& candidate : all) {
    for (const Row* row : candidate.rows) {
      const auto [found, fresh] = best.emplace(row->params.bytes, row->time->median_ns);
      if (!fresh) found->second = std::min(found->second, row->time->median_ns);
    }
  }
  return best;
}

// What one gets without choosing: every curve is compared with it.
constexpr const char* kWhatIsThere = "nccl-auto";

// The best of each family first, then whatever is near the best, up to as many as can be told apart.
void choose_prominent(std::vector<Candidate>& all, const std::map<Bytes, double>& best) {
  std::vector<Candidate*> order;
  for (Candidate& candidate : all) {
    for (const Row* row : candidate.rows)
      candidate.behind += std::log(row->time->median_ns / best.at(row->params.bytes));
    candidate.behind /= static_cast<double>(candidate.rows.size());
    order.push_back(&candidate);
  }
  std::ranges::stable_sort(order, {}, &Candidate::behind);
  std::vector<std::string> families;
  std::size_t chosen = 0;
  const auto choose = [&](Candidate& candidate) {
    if (chosen == kProminent || candidate.prominent) return;
    candidate.prominent = true;
    ++chosen;
  };
  for (Candidate* candidate : order) {
    if (candidate->family == kWhatIsThere) choose(*candidate);
  }
  if (all.size() > kProminent) {
    for (Candidate* candidate : order) {
      if (std::ranges::find(families, candidate->family) != families.end()) continue;
      families.push_back(candidate->family);
      choose(*candidate);
    }
  }
  for (Candidate* candidate : order) choose(*candidate);
}

template <typename Value>
std::vector<FigureSeries> series_of(const std::vector<Candidate>& all, Value value) {
  std::vector<FigureSeries> series;
  for (const Candidate& candidate : all) {
    FigureSeries curve{.name = candidate.name, .prominent = candidate.prominent};
    for (const Row* row : candidate.rows) {
      const std::optional<FigurePoint> point = value(*row);
      if (point && drawable(point->y)) curve.points.push_back(*point);
    }
    series.push_back(std::move(curve));
  }
  return series;
}

std::optional<FigurePoint> latency(const Row& row) {
  FigurePoint point{x_of(row), row.time->median_ns, row.time->interval95_ns};
  if (point.interval && (!drawable(point.interval->low) || !drawable(point.interval->high)))
    point.interval.reset();
  return point;
}

// The first number of each size that a row has: floors and limits belong to the size, not to the strategy.
template <typename Value>
FigureSeries limit(const char* name, const std::vector<Candidate>& all, Value value) {
  std::map<Bytes, double> found;
  for (const Candidate& candidate : all) {
    for (const Row* row : candidate.rows) {
      const std::optional<double> number = value(*row);
      if (drawable(number)) found.emplace(row->params.bytes, *number);
    }
  }
  FigureSeries series{.name = name, .limit = true, .prominent = true};
  for (const auto& [bytes, number] : found)
    series.points.push_back({static_cast<double>(bytes.count), number, {}});
  return series;
}

// What a link carries in one direction; where it was not measured, what the floor comes to as bus bandwidth.
FigureSeries bandwidth_limit(std::span<const NamedDocument> documents, const std::vector<Candidate>& all) {
  const auto& links = documents.front().document->links;
  return limit("link", all, [&](const Row& row) -> std::optional<double> {
    const auto link = std::ranges::find(links, row.params.bytes, &LinkMeasurement::bytes);
    if (link != links.end() && link->bandwidth_gbps) return link->bandwidth_gbps;
    if (!drawable(row.floor_ns)) return std::nullopt;
    return wire_share(row.params) * x_of(row) / *row.floor_ns;
  });
}

class BlockFigures {
 public:
  BlockFigures(std::span<const NamedDocument> documents, const MatchedBlocks& blocks, std::size_t index)
      : documents_(documents),
        all_(candidates(documents, blocks)),
        best_(best_of_sizes(all_)),
        index_(index) {
    const SweepBlock& first = blocks.first();
    group_ = fmt::format("{}, {} ranks on {}", first.name(), first.ranks, to_string(first.device));
    choose_prominent(all_, best_);
  }

  bool empty() const { return all_.empty(); }
  std::vector<Figure> take() const {
    Figure times =
        figure("latency", "latency", "time of a call", AxisQuantity::nanoseconds, Scale::logarithmic,
               "Lower is better. Median of the slowest rank; whiskers are its 95 % interval.");
    times.series = series_of(all_, latency);
    add_limit(times, limit("floor", all_, [](const Row& row) { return row.floor_ns; }));

    Figure widths = figure("busbw", "bus bandwidth", "bus bandwidth", AxisQuantity::gbps, Scale::linear,
                           "Higher is better. What each link carries, against what it can.");
    widths.series = series_of(all_, [](const Row& row) -> std::optional<FigurePoint> {
      return FigurePoint{x_of(row), row.busbw_gbps.value_or(0), {}};
    });
    add_limit(widths, bandwidth_limit(documents_, all_));

    Figure ratios = figure("ratio", "ratio to the best", "times the best", AxisQuantity::ratio,
                           Scale::logarithmic, "1 is the fastest of its size; 2 takes twice as long.");
    ratios.series = series_of(all_, [this](const Row& row) -> std::optional<FigurePoint> {
      return FigurePoint{x_of(row), row.time->median_ns / best_.at(row.params.bytes), {}};
    });
    return {times, widths, ratios};
  }

 private:
  Figure figure(const char* kind, const char* title, const char* y, AxisQuantity quantity, Scale scale,
                const char* caption) const {
    return {.id = fmt::format("{}-{}", kind, index_),
            .group = group_,
            .title = title,
            .caption = caption,
            .x = {"message size", AxisQuantity::bytes, Scale::logarithmic},
            .y = {y, quantity, scale},
            .series = {},
            .first_glance = quantity == AxisQuantity::nanoseconds};
  }
  static void add_limit(Figure& figure, FigureSeries series) {
    if (!series.points.empty()) figure.series.push_back(std::move(series));
  }

  std::span<const NamedDocument> documents_;
  std::vector<Candidate> all_;
  std::map<Bytes, double> best_;
  std::size_t index_;
  std::string group_;
};

// What a graph saves: how many times as long a call takes eager, of every entry that a block has in both
// modes.
std::optional<Figure> mode_figure(std::span<const NamedDocument> documents, const MatchedBlocks& eager,
                                  const MatchedBlocks& graph, std::size_t index) {
  std::vector<Candidate> all = candidates(documents, eager);
  const std::vector<Candidate> others = candidates(documents, graph);
  choose_prominent(all, best_of_sizes(all));
  const SweepBlock& first = eager.first();
  Figure figure{.id = fmt::format("modes-{}", index),
                .group = fmt::format("{} {}, {} ranks on {}", to_string(first.collective),
                                     to_string(first.dtype), first.ranks, to_string(first.device)),
                .title = "eager against graph",
                .caption = "How many times as long a call takes when it is launched by itself.",
                .x = {"message size", AxisQuantity::bytes, Scale::logarithmic},
                .y = {"eager / graph", AxisQuantity::ratio, Scale::logarithmic},
                .series = {},
                .first_glance = false};
  for (const Candidate& candidate : all) {
    const auto twin = std::ranges::find(others, candidate.name, &Candidate::name);
    if (twin == others.end()) continue;
    FigureSeries series{.name = candidate.name, .prominent = candidate.prominent};
    for (const Row* row : candidate.rows) {
      const auto same = std::ranges::find_if(
          twin->rows, [&](const Row* other) { return other->params.bytes == row->params.bytes; });
      if (same == twin->rows.end()) continue;
      series.points.push_back({x_of(*row), row->time->median_ns / (*same)->time->median_ns, {}});
    }
    if (!series.points.empty()) figure.series.push_back(std::move(series));
  }
  return figure.series.empty() ? std::nullopt : std::optional(figure);
}

bool are_modes(const SweepBlock& a, const SweepBlock& b) {
  return a.mode == Mode::eager && b.mode == Mode::graph && a.collective == b.collective &&
         a.device == b.device && a.ranks == b.ranks && a.dtype == b.dtype;
}

}  // namespace

std::vector<Figure> sweep_figures(std::span<const NamedDocument> documents) {
  const std::vector<MatchedBlocks> blocks = match_blocks(documents);
  std::vector<Figure> figures;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const BlockFigures block(documents, blocks[i], i + 1);
    if (block.empty()) continue;
    for (Figure& figure : block.take()) figures.push_back(std::move(figure));
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    for (const MatchedBlocks& other : blocks) {
      if (!are_modes(blocks[i].first(), other.first())) continue;
      if (auto figure = mode_figure(documents, blocks[i], other, i + 1))
        figures.push_back(std::move(*figure));
    }
  }
  return figures;
}

}  // namespace ringside
