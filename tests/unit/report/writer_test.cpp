#include "report/writer.hpp"

#include <set>
#include <vector>

#include "support/catch.hpp"
#include "support/sample_document.hpp"

using namespace ringside;

TEST_CASE("Every writer is registered once and found by its name") {
  std::vector<std::string_view> names;
  for (const Writer* writer : all_writers()) {
    names.push_back(writer->name());
    CHECK(find_writer(writer->name()) == writer);
    CHECK_FALSE(writer->summary().empty());
  }
  CHECK(names == std::vector<std::string_view>{"csv", "json", "md", "table"});
  CHECK(find_writer("xml") == nullptr);
}

TEST_CASE("Every writer renders a finished, a troubled and an empty Document and ends it with a newline") {
  for (const Document& document :
       {test::host_sweep().document, test::troubled_sweep().document, Document{}}) {
    for (const Writer* writer : all_writers()) {
      INFO(writer->name());
      const std::string text = writer->render(document, {});
      CHECK(text.ends_with('\n'));
      for (const char* absent : {"nan", "NaN", "N/A"}) CHECK(text.find(absent) == std::string::npos);
    }
  }
}

TEST_CASE("The JSON writer is the Document's own JSON") {
  const Document document = test::host_sweep().document;
  CHECK(find_writer("json")->render(document, {}) == to_json(document));
}
