#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace ringside::test {

// The expected output in `file`, a path under tests/ (data/golden/...). With RINGSIDE_REWRITE_GOLDEN set,
// `actual` is written there first: run, and read the diff before you commit it.
inline std::string golden(const std::string& file, const std::string& actual) {
  const auto path = std::filesystem::path(RINGSIDE_TESTS_DIR) / file;
  if (std::getenv("RINGSIDE_REWRITE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << actual;
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return "no such file: " + path.string();
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace ringside::test
