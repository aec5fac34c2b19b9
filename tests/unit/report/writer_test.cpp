#include "report/writer.hpp"

#include <limits>
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
  CHECK(names ==
        std::vector<std::string_view>{"bmf", "chrome", "csv", "gab", "html", "json", "junit", "md", "table"});
  CHECK(find_writer("xml") == nullptr);
}

TEST_CASE("Every writer renders a finished, a troubled and an empty Document and ends it with a newline") {
  for (const Document& document :
       {test::host_sweep().document, test::troubled_sweep().document, Document{}}) {
    for (const Writer* writer : all_writers()) {
      INFO(writer->name());
      const std::string text = writer->render(document, {});
      CHECK(text.ends_with('\n'));
      const std::string own = text.substr(0, text.find("</main>"));  // behind it a page has scripts
      const std::string shown = own.substr(std::min(own.find("<main"), own.size()) % own.size());
      for (const char* absent : {"nan", "NaN", "N/A"}) CHECK(shown.find(absent) == std::string::npos);
    }
  }
}

TEST_CASE("A number that is none is left out, whatever a file held") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  test::SampleDocument sample = test::host_sweep();
  for (Row& row : sample.document.rows) {
    row.busbw_gbps = row.of_floor = nan;
    row.time->interval95_ns = Interval{nan, nan};
    if (row.params.strategy == "ring") row.time->median_ns = nan;
  }
  sample.document.verdicts[0].ratio = nan;
  for (const char* name : {"bmf", "csv", "gab", "junit", "md", "table"}) {
    INFO(name);
    CHECK(find_writer(name)->render(sample.document, {}).find("nan") == std::string::npos);
  }
}

TEST_CASE("The JSON writer is the Document's own JSON") {
  const Document document = test::host_sweep().document;
  CHECK(find_writer("json")->render(document, {}) == to_json(document));
}
