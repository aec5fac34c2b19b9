#include "run/run_document.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <iterator>
#include <utility>

#include "base/environment.hpp"
#include "base/printable.hpp"

namespace ringside {

Document start_document(std::string_view command, const std::vector<std::string>& argv) {
  Document document;
  document.command = command;
  Withheld of_command, of_environment;
  for (const std::string& argument : mask_words(argv, of_command))
    document.argv.push_back(printable(argument));
  document.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  for (auto& [name, value] : recorded_environment(environ, of_environment)) {
    document.environment.emplace_back(printable(name), printable(value));
  }
  say_withheld(document, of_command, "the command line");
  say_withheld(document, of_environment, "the environment");
  return document;
}

void take_over(Document& started, Document& result) {
  result.command = std::move(started.command);
  result.argv = std::move(started.argv);
  result.started = std::move(started.started);
  result.findings.insert(result.findings.begin(), std::make_move_iterator(started.findings.begin()),
                         std::make_move_iterator(started.findings.end()));
}

void say_withheld(Document& document, const Withheld& withheld, std::string_view where) {
  if (withheld.empty()) return;
  add_finding(document, {finding_kind("secrets-left-out"),
                         Severity::note,
                         std::string(where),
                         describe(withheld, where),
                         {},
                         ""});
}

Fingerprint described_machine(const MachineProfile& machine) {
  const auto number = [](double value, const char* unit) { return fmt::format("{:g} {}", value, unit); };
  const auto known = [&](double value, const char* unit) {
    return value > 0 ? number(value, unit) : std::string("not known");
  };
  return {.name = fmt::format("{} (described, not this box)", machine.title),
          .facts = {{"profile", machine.name},
                    {"ranks", std::to_string(machine.ranks)},
                    {"link", machine.link},
                    {"one_way_latency", number(machine.one_way_latency_ns, "ns")},
                    {"bandwidth", number(machine.bandwidth_gbps, "GB/s")},
                    {"call_overhead", number(machine.call_overhead_ns, "ns")},
                    {"step_overhead", number(machine.step_overhead_ns, "ns")},
                    {"local_bandwidth", known(machine.local_bandwidth_gbps, "GB/s")},
                    {"origin", std::string(to_string(machine.origin))},
                    {"source", machine.source}}};
}

}  // namespace ringside
