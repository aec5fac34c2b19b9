#include "report/views/beside.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "report/views/conclusions.hpp"
#include "report/views/result_kind.hpp"

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

TitledGrid outcomes(Documents documents) {
  GridLines lines;
  for (const char* name : {"result", "outcome", "because"}) lines.add({name}, Align::left);
  for (const NamedDocument& part : documents) {
    const auto [outcome, because] = kind_of(*part.document).outcome(*part.document);
    if (!outcome.empty() || !because.empty()) lines.line({part.name, outcome, because});
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

// On a terminal of the most special kind alone that has any.
std::vector<Figure> figures(Documents documents, Room room) {
  std::vector<Figure> all;
  const auto kinds = all_kinds();
  for (auto kind = kinds.rbegin(); kind != kinds.rend(); ++kind) {
    for (Figure& figure : (*kind)->figures_beside(documents, room)) all.push_back(std::move(figure));
    if (room == Room::terminal && !all.empty()) break;
  }
  return all;
}

}  // namespace

std::vector<TitledGrid> beside(Documents documents) {
  std::vector<TitledGrid> grids = {heads(documents)};
  for (const ResultKind* kind : all_kinds()) {
    for (TitledGrid& grid : kind->tables_beside(documents)) grids.push_back(std::move(grid));
  }
  for (const auto& make : {outcomes, troubles}) {
    if (TitledGrid grid = make(documents); !grid.empty()) grids.push_back(std::move(grid));
  }
  return grids;
}

View beside_view(Documents documents, const ViewRequest& request) {
  std::vector<std::string> names;
  for (const NamedDocument& part : documents) names.push_back(part.name);
  View view;
  view.heading = "ringside";
  view.command = "results beside one another";
  view.title = join(names, ", ");
  const auto add_tables = [&] {
    for (TitledGrid& grid : beside(documents)) view.sections.push_back({"tables", std::move(grid)});
  };
  if (request.room != Room::page) add_tables();
  if (request.figures) view.sections.push_back({"charts", figures(documents, request.room)});
  if (request.room != Room::page) return view;
  add_tables();
  ViewRequest summary = request;
  summary.summary = true;
  for (const NamedDocument& part : documents) {
    view.parts.push_back(kind_of(*part.document).view(*part.document, summary));
    view.parts.back().name = part.name;
  }
  return view;
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
