#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/errors.hpp"
#include "base/output_file.hpp"
#include "base/user_folder.hpp"
#include "strategy/custom_table.hpp"

namespace ringside {
namespace {

// One file for each set of GPUs, named after the first one; the file itself says which they are.
std::filesystem::path table_file(const std::vector<std::string>& gpus) {
  const std::filesystem::path folder = user_data_folder();
  if (folder.empty() || gpus.empty()) return {};
  return folder / "custom" / fmt::format("{}x-{}.toml", gpus.size(), gpus.front());
}

// Throws EnvironmentError that names the file.
std::string read_file(const std::filesystem::path& path) {
  if (!std::filesystem::is_regular_file(path))
    throw EnvironmentError(path.string() + " is not a regular file");
  std::ifstream file(path);
  if (!file) throw SystemError("opening " + path.string(), errno);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (file.bad()) throw SystemError("reading " + path.string(), errno);
  return text;
}

Finding unreadable(const std::filesystem::path& path, const std::string& why) {
  return {.kind = finding_kind("custom-table-unreadable"),
          .severity = Severity::warning,
          .subject = path.string(),
          .message = "custom takes its built-in table: " + why,
          .evidence = {},
          .remedy = "measure the table again with `ringside probe-comm --tune`, or remove the file"};
}

}  // namespace

FoundCustomTable custom_table_for(const std::vector<std::string>& gpus) {
  const std::filesystem::path path = table_file(gpus);
  FoundCustomTable found;
  if (!path.empty()) {
    try {
      if (std::filesystem::exists(path)) {
        found.table = read_custom_table({path.stem(), path, read_file(path)});
        const std::vector<std::string>& measured = found.table.gpus;
        if (std::is_permutation(gpus.begin(), gpus.end(), measured.begin(), measured.end())) return found;
      }
    } catch (const std::exception& problem) {  // of the file system, too
      found.problem = unreadable(path, problem.what());
    }
  }
  found.table = built_in_custom_table();
  return found;
}

const CustomTable& built_in_custom_table() {
  static const CustomTable table = [] {
    CustomTable read = read_custom_table(find_scenario("custom", "built-in"));
    read.origin = "built-in table";
    return read;
  }();
  return table;
}

void check_custom_table_place(const std::vector<std::string>& gpus) {
  check_place("the table of custom", table_file(gpus));
}

std::string store_custom_table(const CustomTable& table) {
  const std::string file = table_file(table.gpus).string();
  check_custom_table_place(table.gpus);
  OutputFile(file).write(to_toml(table));
  return file;
}

}  // namespace ringside
