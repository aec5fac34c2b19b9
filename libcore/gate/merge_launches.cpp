#include "gate/merge_launches.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <unordered_map>

#include "gate/cases.hpp"
#include "sweep/clock_record.hpp"
#include "sweep/row_numbers.hpp"
#include "sweep/row_ratios.hpp"

namespace ringside {
namespace {

void merge_row(Row& row, Row more) {
  if (has_failed(row)) return;
  forget_ratios(row);
  const int behind = row.launches.empty() ? 0 : row.launches.back().launch + 1;
  for (LaunchSamples& launch : more.launches) {
    launch.launch += behind;
    row.launches.push_back(std::move(launch));
  }
  if (has_failed(more) ||
      row.launches.size() == more.launches.size()) {  // it has failed, or had none of its own
    more.launches = std::move(row.launches);
    row = std::move(more);
    forget_ratios(row);
    return;
  }
  if (more.clocks && row.clocks) add_clocks(*row.clocks, *more.clocks);
  if (more.launches.empty()) return;
  std::ranges::copy_if(more.findings, std::back_inserter(row.findings), [&](const std::string& id) {
    return std::ranges::find(row.findings, id) == row.findings.end();
  });
  add_ran(row, more.ran, more.chosen_by);
  if (row.channels != more.channels) row.channels.reset();
  if (more.floor_ns && (!row.floor_ns || *more.floor_ns < *row.floor_ns)) {
    row.floor_ns = more.floor_ns;
    row.floor_uncertainty_ns = more.floor_uncertainty_ns;
  }
  update_numbers(row);
}

// What was asked for on either side. Cases are measured again with the settings of the first Document.
void merge_requests(Document& document, const Document& more) {
  if (!document.request || !more.request) return;
  std::vector<CaseSet>& cases = document.request->cases;
  for (const CaseSet& set : more.request->cases) {
    if (std::ranges::find(cases, set) == cases.end()) cases.push_back(set);
  }
}

}  // namespace

void merge_launches(Document& document, Document more) {
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < document.rows.size(); ++i) places.emplace(case_key(document.rows[i].params), i);
  for (Row& row : more.rows) {
    const auto place = places.find(case_key(row.params));
    if (place == places.end()) {
      document.rows.push_back(std::move(row));
    } else {
      merge_row(document.rows[place->second], std::move(row));
    }
  }
  for (Finding& finding : more.findings) add_finding(document, std::move(finding));
  document.complete = document.complete && more.complete;
  merge_requests(document, more);
  if (document.method && more.method) {
    document.method->launches += more.method->launches;
    document.method->launches_wanted += more.method->launches_wanted;
    document.method->elapsed_s += more.method->elapsed_s;
  }
}

}  // namespace ringside
