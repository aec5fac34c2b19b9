#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

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

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

CustomTable custom_table_for(const std::vector<std::string>& gpus) {
  const std::filesystem::path path = table_file(gpus);
  std::error_code absent;
  if (!path.empty() && std::filesystem::is_regular_file(path, absent)) {
    const CustomTable stored = read_custom_table({path.stem(), path, read_file(path)});
    if (std::is_permutation(gpus.begin(), gpus.end(), stored.gpus.begin(), stored.gpus.end())) return stored;
  }
  return read_custom_table(find_scenario("custom", "built-in"));
}

std::string store_custom_table(const CustomTable& table) {
  const std::filesystem::path path = table_file(table.gpus);
  if (path.empty())
    throw EnvironmentError(
        "no place to store the table of custom: neither XDG_DATA_HOME nor HOME is set; set one");
  std::error_code failure;
  std::filesystem::create_directories(path.parent_path(), failure);
  if (failure) {
    throw EnvironmentError(
        fmt::format("can't make the folder {}: {}", path.parent_path().string(), failure.message()));
  }
  OutputFile(path.string()).write(to_toml(table));
  return path.string();
}

}  // namespace ringside
