#include "machine/root_files.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

#include "base/text.hpp"

namespace ringside {

std::optional<std::string> RootFiles::read(const std::filesystem::path& path) const {
  std::ifstream file(root_ / path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) return std::nullopt;
  return text.str();
}

std::optional<std::string> RootFiles::line(const std::filesystem::path& path) const {
  const std::optional<std::string> text = read(path);
  if (!text) return std::nullopt;
  std::string first(trim(text->substr(0, text->find('\n'))));
  return first.empty() ? std::nullopt : std::optional(std::move(first));
}

std::optional<unsigned long long> RootFiles::number(const std::filesystem::path& path) const {
  const std::optional<std::string> text = line(path);
  if (!text) return std::nullopt;
  unsigned long long value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc{} || end != text->data() + text->size()) return std::nullopt;
  return value;
}

std::optional<std::string> RootFiles::field(const std::filesystem::path& path, std::string_view key,
                                            char separator) const {
  for (const std::string& line : split(read(path).value_or(""), '\n')) {
    const std::size_t at = line.find(separator);
    if (at == std::string::npos || trim(std::string_view(line).substr(0, at)) != key) continue;
    return std::string(trim(std::string_view(line).substr(at + 1)));
  }
  return std::nullopt;
}

std::vector<std::string> RootFiles::numbered(const std::filesystem::path& folder,
                                             std::string_view prefix) const {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(root_ / folder, error)) {
    const std::string name = entry.path().filename();
    if (name.size() > prefix.size() && name.starts_with(prefix) &&
        name.find_first_not_of("0123456789", prefix.size()) == std::string::npos) {
      names.push_back(name);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> RootFiles::names(const std::filesystem::path& folder) const {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(root_ / folder, error))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<std::string> RootFiles::link(const std::filesystem::path& path) const {
  std::error_code error;
  const std::filesystem::path target = std::filesystem::read_symlink(root_ / path, error);
  if (error || target.empty()) return std::nullopt;
  return target.filename().string();
}

std::optional<std::string> RootFiles::real(const std::filesystem::path& path) const {
  std::error_code error;
  const std::filesystem::path root = std::filesystem::canonical(root_, error);
  if (error) return std::nullopt;
  const std::filesystem::path target = std::filesystem::canonical(root_ / path, error);
  if (error) return std::nullopt;
  return target.lexically_relative(root).string();
}

bool RootFiles::exists(const std::filesystem::path& path) const {
  std::error_code error;
  return std::filesystem::exists(root_ / path, error);
}

}  // namespace ringside
