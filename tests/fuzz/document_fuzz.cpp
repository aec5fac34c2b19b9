// Results in JSON: any text is refused with a UsageError, or read, and then every writer has a form for it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "base/errors.hpp"
#include "model/json_tree.hpp"
#include "report/render/github.hpp"
#include "report/writer.hpp"

namespace {

// Whether the tree's reader takes what another reader of JSON takes, but for what it refuses as too large,
// and nothing else.
void compare_with_another_reader(const std::string& text) {
  using namespace ringside;
  if (text.find('\0') != std::string::npos) return;  // the other one takes a zero byte for the end
  const bool accepted = nlohmann::json::accept(text);
  try {
    const JsonTree tree(text, "fuzz.json");
    if (!accepted) std::abort();
  } catch (const UsageError& refusal) {
    const std::string why = refusal.what();
    const bool too_large = why.find("nested deeper") != std::string::npos ||
                           why.find("an object of more than") != std::string::npos ||
                           why.find("no number is as large") != std::string::npos ||
                           why.find("comes twice") != std::string::npos ||
                           why.find("too many small values") != std::string::npos ||
                           why.find("the byte 0xef") != std::string::npos;  // a byte order mark
    if (accepted && !too_large) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ringside;
  const std::string input(reinterpret_cast<const char*>(data), size);
  compare_with_another_reader(input);
  try {
    const Document document = document_from_json(input, "fuzz.json");
    const std::string text = to_json(document);
    if (to_json(document_from_json(text, "again")) != text) std::abort();  // it must read its own words
    const NamedDocument both[] = {{"a", &document}, {"b", &document}};
    for (const Writer* writer : all_writers()) {
      static_cast<void>(writer->render(document, {.color = true, .width = 80, .verbose = true}));
      if (writer->takes_several()) static_cast<void>(writer->render_several(both, {}));
    }
    static_cast<void>(github_annotations(document));
  } catch (const UsageError&) {
  }
  return 0;
}
