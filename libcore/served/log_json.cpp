#include "served/log_json.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/errors.hpp"
#include "model/json_tree.hpp"

namespace ringside {

namespace {

// What collectors and loggers call the message, the most certain first; docker's is "log".
constexpr std::array<std::string_view, 9> kMessages = {"log",  "message", "MESSAGE", "msg",        "text",
                                                       "line", "body",    "event",   "textPayload"};
constexpr std::array<std::string_view, 8> kSources = {"container_name", "pod_name",       "pod",
                                                      "_SYSTEMD_UNIT",  "CONTAINER_NAME", "container",
                                                      "service",        "hostname"};
constexpr std::array<std::string_view, 5> kTimes = {"time", "timestamp", "ts", "@timestamp", "asctime"};
constexpr std::array<std::string_view, 4> kLevels = {"level", "levelname", "severity", "lvl"};
constexpr std::array<std::string_view, 5> kStacks = {"exc_info", "exception", "traceback", "stack_trace",
                                                     "stack"};
constexpr std::array<std::string_view, 4> kHolders = {"jsonPayload", "kubernetes", "record", "docker"};

template <typename Names>
bool is_one_of(const Names& names, std::string_view key) {
  return std::find(names.begin(), names.end(), key) != names.end();
}

// journald writes a message that is no clean text as an array of its bytes.
std::string text_of(const JsonNode& node) {
  if (node.kind == JsonKind::string) return std::string(node.string());
  std::string bytes;
  if (node.kind != JsonKind::array) return bytes;
  const JsonNode* element = &node + 1;
  for (std::uint32_t i = 0; i < node.size; ++i, element = element->next()) {
    if (element->kind != JsonKind::whole || element->is.whole > 255) return "";
    bytes += static_cast<char>(element->is.whole);
  }
  return bytes;
}

struct Reader {
  JsonLine line;
  std::size_t best = kMessages.size();  // of the message's name
  std::string stack;
  bool docker = false;

  void read(const JsonNode& object, int depth) {
    const JsonNode* key = &object + 1;
    for (std::uint32_t i = 0; i < object.size; ++i) {
      const JsonNode* value = key->next();
      member(key->string(), *value, depth);
      key = value->next();
    }
  }

  void member(std::string_view name, const JsonNode& value, int depth) {
    if (value.kind == JsonKind::object) {
      if (depth == 0 && is_one_of(kHolders, name)) read(value, depth + 1);
      return;
    }
    const auto message = std::find(kMessages.begin(), kMessages.end(), name);
    if (message != kMessages.end() && static_cast<std::size_t>(message - kMessages.begin()) < best) {
      if (std::string text = text_of(value); !text.empty() || value.kind == JsonKind::string) {
        best = static_cast<std::size_t>(message - kMessages.begin());
        line.text = std::move(text);
      }
    } else if (value.kind == JsonKind::string) {
      named_text(name, std::string(value.string()));
    } else if (value.kind == JsonKind::whole &&
               (name == "pid" || name == "process" || name == "process_id")) {
      if (value.is.whole < 100'000'000) line.pid = static_cast<int>(value.is.whole);
    }
  }

  void named_text(std::string_view name, std::string text) {
    if (name == "stream") docker = true;
    if (is_one_of(kSources, name) && line.source.empty()) line.source = text.substr(0, 100);
    if (is_one_of(kLevels, name)) line.level = text.substr(0, 16);
    if (is_one_of(kStacks, name)) stack = text;
    if (name == "_PID") line.pid = std::atoi(text.substr(0, 8).c_str());
    if (is_one_of(kTimes, name)) {
      TextScan scan(text);
      line.time = take_zoned(scan);
      if (!line.time) line.time = take_dated(scan);
    }
  }
};

}  // namespace

std::optional<JsonLine> read_json_line(std::string_view line) {
  try {
    const JsonTree tree(line, "log");
    if (tree.root().kind != JsonKind::object) return std::nullopt;
    Reader reader;
    reader.read(tree.root(), 0);
    if (reader.best == kMessages.size()) return std::nullopt;
    JsonLine& found = reader.line;
    const bool ended = !found.text.empty() && found.text.back() == '\n';
    found.unended = reader.docker && reader.best == 0 && !ended;
    if (ended) found.text.pop_back();
    if (!reader.stack.empty()) found.text += '\n' + reader.stack;
    return std::move(found);
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

}  // namespace ringside
