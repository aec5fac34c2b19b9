// Results in JSON: any text is refused with a UsageError, or read, and then every writer has a form for it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/errors.hpp"
#include "report/github.hpp"
#include "report/writer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ringside;
  try {
    const Document document =
        document_from_json(std::string(reinterpret_cast<const char*>(data), size), "fuzz.json");
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
