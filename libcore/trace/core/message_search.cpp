#include "trace/core/message_search.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "served/text_search.hpp"

namespace ringside {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShortest = 20;   // bytes of a part
constexpr std::size_t kMostParts = 64;  // of one message
constexpr std::size_t kNear = 6;        // lines: parts of one literal stand this near to each other
constexpr std::size_t kMostFiles = 30000;
constexpr std::uintmax_t kLargest = std::uintmax_t{4} << 20;  // bytes of a file
constexpr std::size_t kMostPlaces = 200;
constexpr std::size_t kLongestGuard = 160;
constexpr std::array kEndings = {".py", ".cpp", ".cu", ".cuh", ".h", ".hpp"};

bool ends_part(char c) {
  return (c >= '0' && c <= '9') || std::string_view("'\"`{}\\\n\t%").find(c) != std::string_view::npos;
}

// Runs of whole words of a piece, one from each word, each as short as it may be.
void add_runs(std::string_view piece, std::vector<std::string>& parts) {
  std::size_t start = 0;
  while (start < piece.size() && parts.size() < kMostParts) {
    std::size_t end = std::min(piece.size(), start + kShortest);
    while (end < piece.size() && piece[end] != ' ') ++end;
    if (end - start < kShortest) return;
    parts.emplace_back(piece.substr(start, end - start));
    start = piece.find(' ', start);
    if (start == std::string_view::npos) return;
    ++start;
  }
}

bool is_source(const fs::path& path) {
  const std::string ending = path.extension().string();
  return std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
}

std::size_t indent(std::string_view line) {
  const std::size_t at = line.find_first_not_of(" \t");
  return at == std::string_view::npos ? std::string_view::npos : at;
}

bool begins_with_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.starts_with(word); });
}

// The condition that leads to a line: the nearest line above, further left each time, that is one.
std::string guard_of(const std::vector<std::string_view>& lines, std::size_t at) {
  std::size_t left = indent(lines[at]);
  for (std::size_t i = at + 1; i-- > 0 && left != std::string_view::npos;) {
    const std::size_t here = indent(lines[i]);
    if (here == std::string_view::npos || (i != at && here >= left)) continue;
    const std::string_view text = trim(lines[i]);
    if (begins_with_any(text, {"if ", "if(", "elif ", "else", "} else", "assert ", "assert(", "except"}))
      return printable(text.substr(0, kLongestGuard));
    if (begins_with_any(text, {"def ", "async def ", "class "})) return "";
    left = std::min(left, here);
  }
  return "";
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

void search_file(const std::string& name, std::string_view text, const TextSearch& search,
                 const std::vector<std::string>& parts, std::vector<MessagePlace>& places) {
  std::size_t at = search.find(text);
  if (at == std::string_view::npos) return;
  const std::vector<std::string_view> lines = lines_of(text);
  std::set<std::string_view> seen;  // of the place that is being read
  std::size_t last = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (search.find(lines[i]) == std::string_view::npos) continue;
    std::set<std::string_view> here;
    for (const std::string& part : parts)
      if (lines[i].find(part) != std::string_view::npos) here.insert(part);
    // A literal that goes on in the next lines brings parts that its first line lacks.
    const bool goes_on =
        !seen.empty() && i <= last + kNear &&
        std::none_of(here.begin(), here.end(), [&](auto part) { return seen.contains(part); });
    if (!goes_on) {
      seen.clear();
      places.push_back({name, static_cast<long>(i + 1), guard_of(lines, i), 0});
    }
    seen.insert(here.begin(), here.end());
    last = i;
    places.back().parts = seen.size();
    if (places.size() >= kMostPlaces) return;
  }
}

std::string read_source(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

std::vector<std::string> literal_parts(std::string_view message) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < message.size();) {
    const auto end = static_cast<std::size_t>(
        std::find_if(message.begin() + static_cast<std::ptrdiff_t>(at), message.end(), ends_part) -
        message.begin());
    add_runs(trim(message.substr(at, end - at)), parts);
    at = end + 1;
  }
  return parts;
}

MessagePlaces search_message(const fs::path& tree, std::string_view message) {
  MessagePlaces found;
  const std::vector<std::string> parts = literal_parts(message);
  if (parts.empty()) return found;
  const TextSearch search(parts);
  std::error_code error;
  fs::recursive_directory_iterator it(tree, fs::directory_options::skip_permission_denied, error), end;
  for (; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (it->is_directory(error) && (name.starts_with('.') || it->is_symlink(error)))
      it.disable_recursion_pending();
    if (!is_source(it->path()) || !it->is_regular_file(error)) continue;
    if (found.files == kMostFiles || found.places.size() >= kMostPlaces || it->file_size(error) > kLargest) {
      found.all = false;
      continue;
    }
    ++found.files;
    search_file(fs::relative(it->path(), tree, error).string(), read_source(it->path()), search, parts,
                found.places);
  }
  if (error) found.all = false;
  std::sort(found.places.begin(), found.places.end(), [](const MessagePlace& a, const MessagePlace& b) {
    return std::tie(b.parts, a.file, a.line) < std::tie(a.parts, b.file, b.line);
  });
  return found;
}

std::vector<std::string> places_text(const MessagePlaces& found, std::size_t most) {
  std::vector<std::string> texts;
  for (const MessagePlace& place : found.places) {
    if (texts.size() == most) {
      texts.push_back(fmt::format("its words stand in {} more places", found.places.size() - most));
      break;
    }
    texts.push_back(fmt::format("its words stand at {}:{}{}", place.file, place.line,
                                place.guard.empty() ? "" : ", under: " + place.guard));
  }
  if (found.places.empty() && found.files > 0)
    texts.push_back(fmt::format("none of its words stand in the {} files of the tree", found.files));
  if (!found.all) texts.push_back("the tree was not searched whole");
  return texts;
}

}  // namespace ringside
