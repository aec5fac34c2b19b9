#include "spec/overrides.hpp"

#include <algorithm>

namespace ringside {
namespace {

// "model . \"layers\" = 3" -> "model.layers"
std::string path_of(const std::string& assignment) {
  std::string path = assignment.substr(0, assignment.find('='));
  std::erase_if(path, [](char c) { return c == ' ' || c == '\t' || c == '"' || c == '\''; });
  return path;
}

// Whether `path` is `table`, or a key below it.
bool lies_in(std::string_view path, std::string_view table) {
  return path.starts_with(table) && (path.size() == table.size() || path[table.size()] == '.');
}

}  // namespace

bool is_set(const std::vector<std::string>& assignments, std::string_view path) {
  return std::ranges::any_of(assignments, [&](const std::string& assignment) {
    const std::string set = path_of(assignment);
    return lies_in(set, path) || lies_in(path, set);
  });
}

}  // namespace ringside
