// Every signature that cites reports: what it is of, and what only looks like it
// (data/trace/signature_examples.tsv).
#include "trace/core/signature.hpp"

#include <fstream>
#include <map>
#include <sstream>

#include "support/catch.hpp"

using namespace ringside;

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

std::string unescaped(std::string text) {
  for (std::size_t at = 0; (at = text.find("\\n", at)) != std::string::npos;) text.replace(at, 2, "\n");
  return text;
}

struct Example {
  std::string signature;
  bool is = false;
  TraceDeath death;
  std::vector<std::string> before;
};

Example read_example(const std::string& line) {
  std::vector<std::string> cells = split(line, '\t');
  REQUIRE(cells.size() == 6);
  for (std::string& cell : cells)
    if (cell == "-") cell.clear();
  Example example{cells[0], cells[1] == "hit", {}, {}};
  example.death.error = cells[2];
  example.death.message = unescaped(cells[3]);
  for (const std::string& frame : split(cells[4], ';')) {
    const std::vector<std::string> parts = split(frame, ':');
    example.death.frames.push_back({parts.at(0), 1, parts.at(1), parts.size() > 2 ? parts[2] : ""});
  }
  if (!cells[5].empty()) example.before.push_back(cells[5]);
  return example;
}

std::vector<Example> examples() {
  std::ifstream file(std::string(RINGSIDE_TESTS_DIR) + "/data/trace/signature_examples.tsv");
  REQUIRE(file);
  std::vector<Example> all;
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && line[0] != '#') all.push_back(read_example(line));
  return all;
}

}  // namespace

TEST_CASE("a signature is of what it says and not of what only looks like it") {
  const auto signatures = load_signatures();
  for (const Example& example : examples()) {
    CAPTURE(example.signature, example.death.error, example.death.message, example.before);
    const Signature* found = find_signature(signatures, example.death, example.before);
    CHECK((found != nullptr && found->id == example.signature) == example.is);
  }
}

TEST_CASE("every signature that cites a report has an example and a near miss, versions and a remedy") {
  std::map<std::string, int> hits, misses;
  for (const Example& example : examples()) ++(example.is ? hits : misses)[example.signature];
  for (const Signature& signature : load_signatures()) {
    if (signature.sources.empty()) continue;
    CAPTURE(signature.id);
    CHECK(hits[signature.id] > 0);
    CHECK(misses[signature.id] > 0);
    CHECK_FALSE(signature.versions.empty());
    CHECK_FALSE(signature.remedies.empty());
    for (const std::string& source : signature.sources) CHECK(source.starts_with("https://github.com/"));
  }
}

TEST_CASE("what a parent says of its child's end is no death that is known by itself") {
  const auto signatures = load_signatures();
  for (const auto& [error, message] : std::vector<std::pair<std::string, std::string>>{
           {"EOFError", ""},
           {"RuntimeError",
            "Engine core initialization failed. See root cause above. Failed core proc(s): {}"},
           {"Exception", "WorkerProc initialization failed due to an exception in a background process."},
           {"RuntimeError", "Executor worker returned error"},
           {"RuntimeError", "Executor failed."},
           {"torch.distributed.DistBackendError",
            "NCCL error in: NCCLUtils.cpp:77, remote process exited or there was a network "
            "error\nncclRemoteError: "
            "A call failed possibly due to a network error or a remote process exiting prematurely."},
           {"RuntimeError", "NCCL error: unhandled system error (run with NCCL_DEBUG=INFO for details)"},
           {"RuntimeError", "NCCL error: unhandled cuda error (run with NCCL_DEBUG=INFO for details)"}}) {
    CAPTURE(error, message);
    TraceDeath death;
    death.error = error;
    death.message = message;
    CHECK(find_signature(signatures, death) == nullptr);
  }
}
