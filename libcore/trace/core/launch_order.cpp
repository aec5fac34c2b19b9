#include "trace/core/launch_order.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace ringside {

namespace {

struct Read {
  LoggedLaunch launch;
  std::string source, nodes;
  int parent_pid = -1;
};

template <typename Item>
void append(std::vector<Item>& to, std::vector<Item>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

// Adds what other sources of the same launch tell.
void put_together(LoggedLaunch& launch, LoggedLaunch& part) {
  launch.first_line = std::min(launch.first_line, part.first_line);
  launch.last_line = std::max(launch.last_line, part.last_line);
  launch.begins = launch.begins || part.begins;
  launch.ready_at = std::max(launch.ready_at, part.ready_at);
  append(launch.tracebacks, part.tracebacks);
  append(launch.notices, part.notices);
  append(launch.milestones, part.milestones);
  append(launch.began, part.began);
  std::stable_sort(launch.tracebacks.begin(), launch.tracebacks.end(),
                   [](const auto& a, const auto& b) { return a.last_line < b.last_line; });
  const auto by_line = [](const auto& a, const auto& b) { return a.line < b.line; };
  std::stable_sort(launch.notices.begin(), launch.notices.end(), by_line);
  std::stable_sort(launch.milestones.begin(), launch.milestones.end(), by_line);
  launch.warnings.merge(part.warnings);
  if (launch.server_args.empty()) launch.server_args = std::move(part.server_args);
  if (launch.model_class.empty()) launch.model_class = std::move(part.model_class);
}

bool tells(const LoggedLaunch& launch) {
  return launch.begins || !launch.tracebacks.empty() || !launch.notices.empty() || !launch.milestones.empty();
}

// Sources without a beginning of their own are of the only server there is, as are nodes of one server.
void join_sources(std::vector<std::vector<Read>>& sources) {
  std::erase_if(sources, [](std::vector<Read>& source) {
    std::erase_if(source, [](const Read& read) { return !tells(read.launch); });
    return source.empty();
  });
  const auto begins = [](const std::vector<Read>& source) {
    return std::any_of(source.begin(), source.end(), [](const Read& read) { return read.launch.begins; });
  };
  std::vector<std::vector<Read>> servers;
  std::vector<std::vector<Read>> others;
  for (std::vector<Read>& source : sources) {
    const auto same = std::find_if(servers.begin(), servers.end(), [&](const std::vector<Read>& server) {
      return !source.back().nodes.empty() && source.back().nodes == server.back().nodes;
    });
    if (same != servers.end())
      put_together(same->back().launch, source.back().launch);
    else
      (begins(source) ? servers : others).push_back(std::move(source));
  }
  if (servers.empty() && !others.empty()) {
    servers.push_back(std::move(others.front()));
    others.erase(others.begin());
  }
  for (std::vector<Read>& other : others)
    for (Read& read : other) {
      if (servers.size() != 1) {
        servers.push_back({});
        servers.back().push_back(std::move(read));
        continue;
      }
      // Of its launches the last that began before.
      std::vector<Read>& server = servers.front();
      Read* owner = &server.front();
      for (Read& launch : server)
        if (launch.launch.first_line <= read.launch.first_line) owner = &launch;
      put_together(owner->launch, read.launch);
    }
  sources = std::move(servers);
}

// Launches of one source that overlap are of several servers, told apart by pids.
void part_servers(std::vector<std::vector<Read>>& sources) {
  std::vector<std::vector<Read>> servers;
  for (std::vector<Read>& source : sources) {
    std::vector<std::vector<Read>> parted;
    for (Read& read : source) {
      const auto before = std::find_if(parted.begin(), parted.end(), [&](const std::vector<Read>& server) {
        return server.back().launch.last_line < read.launch.first_line;
      });
      if (before != parted.end()) {
        before->push_back(std::move(read));
      } else {
        parted.emplace_back();
        parted.back().push_back(std::move(read));
      }
    }
    if (parted.size() > 1)
      for (std::vector<Read>& server : parted)
        for (Read& read : server) read.launch.server = fmt::format("pid {}", read.parent_pid);
    for (std::vector<Read>& server : parted) servers.push_back(std::move(server));
  }
  sources = std::move(servers);
}

}  // namespace

std::vector<LoggedLaunch> in_order(std::map<std::string, std::deque<LaunchReader>>& sources) {
  std::vector<std::vector<Read>> servers;
  for (auto& [name, launches] : sources) {
    servers.emplace_back();
    for (LaunchReader& reader : launches) {
      servers.back().push_back({reader.finish(), name, reader.nodes, reader.parent_pid});
    }
  }
  join_sources(servers);
  if (servers.size() > 1)
    for (std::vector<Read>& server : servers)
      for (Read& read : server) read.launch.server = read.source;
  part_servers(servers);
  std::vector<LoggedLaunch> launches;
  for (std::vector<Read>& server : servers) {
    for (Read& read : server) launches.push_back(std::move(read.launch));
  }
  if (launches.empty()) launches.emplace_back();
  return launches;
}

}  // namespace ringside
