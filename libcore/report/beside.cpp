#include "report/beside.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/text.hpp"
#include "report/block_match.hpp"
#include "report/cell.hpp"
#include "report/conclusions.hpp"
#include "report/sweep_view.hpp"

namespace ringside {
namespace {

using Documents = std::span<const NamedDocument>;

// The facts of the machine that are not the same in all, "driver 580.1 / 590.2", sizes of free memory aside.
std::string differing_facts(Documents documents) {
  std::vector<std::string> names;
  std::map<std::string, std::vector<std::string>> values;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    for (const auto& [name, value] : documents[i].document->machine.facts) {
      auto& found = values[name];
      if (found.empty()) names.push_back(name);
      found.resize(documents.size());
      found[i] = value;
    }
  }
  std::vector<std::string> different;
  for (const std::string& name : names) {
    const std::vector<std::string>& found = values[name];
    const bool same = std::ranges::all_of(found, [&](const std::string& value) { return value == found[0]; });
    if (!same && name != "memory_available") different.push_back(name + " " + join(found, " / "));
  }
  return different.empty() ? "" : "the machines differ: " + join(different, ", ");
}

TitledGrid heads(Documents documents) {
  GridLines lines;
  for (const char* name : {"result", "command", "started", "ringside", "machine"})
    lines.add({name}, Align::left);
  for (const NamedDocument& part : documents) {
    const Document& document = *part.document;
    lines.line({part.name, document.command + (document.complete ? "" : " (incomplete)"), document.started,
                fmt::format("{} ({})", document.tool.version, document.tool.commit), document.machine.name});
  }
  return {"results beside one another", lines.take(), differing_facts(documents)};
}

void add_time_columns(Documents documents, GridLines& lines) {
  for (const NamedDocument& part : documents) lines.add({part.name});
  for (const NamedDocument& part : documents.subspan(1)) lines.add({part.name + " /", documents[0].name});
}

// The medians of a case, one for each Document (a row may be null), and their ratios to the first.
std::vector<std::string> cells(const std::vector<const Row*>& rows, const std::vector<Standing>& standings,
                               const TimeUnit& unit) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CellText text = cell_text(rows[i], unit, standings[i]);
    texts.push_back(text.mark + text.value + (text.uncertainty.empty() ? "" : " " + text.uncertainty));
  }
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const bool both = has_result(rows[0]) && has_result(rows[i]) && rows[0]->time->median_ns > 0;
    texts.push_back(both ? fmt::format("{:.3f}", rows[i]->time->median_ns / rows[0]->time->median_ns) : "");
  }
  return texts;
}

TitledGrid times(Documents documents, const MatchedBlocks& blocks) {
  const SweepBlock& first = blocks.first();
  const TimeUnit unit = time_unit(first);
  std::vector<std::string> entries;
  std::set<Bytes> sizes;
  for (const auto& block : blocks.of) {
    if (!block) continue;
    for (const std::string& entry : block->entries) {
      if (std::ranges::find(entries, entry) == entries.end()) entries.push_back(entry);
    }
    for (const SizeLine& line : block->lines) sizes.insert(line.bytes);
  }
  GridLines lines;
  lines.add({"size"});
  lines.add({"strategy"}, Align::left);
  add_time_columns(documents, lines);
  for (const Bytes size : sizes) {
    for (const std::string& entry : entries) {
      std::vector<const Row*> rows;
      std::vector<Standing> standings;
      for (const auto& block : blocks.of) {
        const SizeLine* line = block ? block->line(size) : nullptr;
        rows.push_back(line == nullptr ? nullptr : block->row(*line, entry));
        standings.push_back(line == nullptr ? Standing::none : standing(line->verdict, entry));
      }
      if (std::ranges::none_of(rows, has_result)) continue;
      std::vector<std::string> texts = {format_size(size), entry};
      for (std::string& text : cells(rows, standings, unit)) texts.push_back(std::move(text));
      lines.line(std::move(texts));
    }
  }
  return {fmt::format("{}, {} ranks on {}: {} per call (median, slowest rank)", first.name(), first.ranks,
                      to_string(first.device), unit.name),
          lines.take(), "a ratio above 1 is slower; nothing is judged here"};
}

TitledGrid candidates(Documents documents) {
  using Key = std::tuple<std::string, std::string, Mode>;
  std::vector<Key> order;
  std::map<Key, std::vector<const SpecCandidate*>> found;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const auto& spec = documents[i].document->spec;
    if (!spec) continue;
    for (const SpecCandidate& candidate : spec->candidates) {
      const Key key{candidate.strategy, candidate.layout, candidate.mode};
      auto& of_key = found[key];
      if (of_key.empty()) order.push_back(key);
      of_key.resize(documents.size());
      of_key[i] = &candidate;
    }
  }
  GridLines lines;
  for (const char* name : {"strategy", "layout", "mode"}) lines.add({name}, Align::left);
  for (const NamedDocument& part : documents) lines.add({part.name, "tok/s"});
  for (const Key& key : order) {
    std::vector<std::string> texts = {std::get<0>(key), std::get<1>(key),
                                      std::string(to_string(std::get<2>(key)))};
    for (const SpecCandidate* candidate : found[key])
      texts.push_back(candidate == nullptr ? "-" : format_three_digits(candidate->tokens_s));
    lines.line(std::move(texts));
  }
  return {"tokens a second with speculation", lines.take(), ""};
}

TitledGrid answers(Documents documents) {
  GridLines lines;
  for (const char* name : {"result", "outcome", "because"}) lines.add({name}, Align::left);
  for (const NamedDocument& part : documents) {
    if (const auto& trace = part.document->trace) lines.line({part.name, trace->outcome, trace->summary});
    if (const auto& spec = part.document->spec)
      lines.line({part.name, spec->recommendation, spec->confidence});
  }
  return {"outcomes", lines.take(), ""};
}

TitledGrid troubles(Documents documents) {
  GridLines lines;
  for (const char* name : {"result", "severity", "finding"}) lines.add({name}, Align::left);
  for (const NamedDocument& part : documents) {
    for (const FindingGroup& group : conclude(*part.document).findings) {
      const Severity severity = group.finding->severity;
      if (severity == Severity::note) continue;
      lines.line({part.name, std::string(to_string(severity)), group.sentence()},
                 severity == Severity::error ? Style::error : Style::warning);
    }
  }
  return {"what went wrong", lines.take(), ""};
}

}  // namespace

std::vector<TitledGrid> beside(Documents documents) {
  std::vector<TitledGrid> grids = {heads(documents)};
  for (const MatchedBlocks& blocks : match_blocks(documents)) grids.push_back(times(documents, blocks));
  for (const auto& make : {candidates, answers, troubles}) {
    if (TitledGrid grid = make(documents); !grid.empty()) grids.push_back(std::move(grid));
  }
  return grids;
}

std::vector<std::string> short_names(std::span<const std::string> paths) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::vector<std::string> parts = split(paths[i], '/');
    std::string name;
    for (std::size_t taken = 1; taken <= parts.size(); ++taken) {
      name = join(std::span(parts).last(taken), "/");
      const auto ends_so = [&](const std::string& other) {
        return other == name || other.ends_with("/" + name);
      };
      if (std::ranges::count_if(paths, ends_so) == 1) break;
    }
    const auto before = std::ranges::count(paths.first(i), paths[i]);
    names.push_back(before == 0 ? name : fmt::format("{} ({})", name, before + 1));
  }
  return names;
}

}  // namespace ringside
