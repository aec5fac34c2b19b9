#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/text.hpp"
#include "served/model_facts.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

constexpr double kMost = 0.03;  // that a counted total may be off

// A line of tests/data/models/totals.tsv, by column; what isn't published is empty.
using Row = std::map<std::string, std::string>;

std::string models_folder() {
  return std::string(RINGSIDE_TESTS_DIR) + "/data/models";
}

std::string read(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  REQUIRE(stream);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::vector<Row> published() {
  std::istringstream stream(read(models_folder() + "/totals.tsv"));
  std::string line;
  std::getline(stream, line);
  const std::vector<std::string> names = split(line, '\t');
  std::vector<Row> rows;
  while (std::getline(stream, line)) {
    const std::vector<std::string> cells = split(line, '\t');
    REQUIRE(cells.size() == names.size());
    Row row;
    for (std::size_t i = 0; i < names.size(); ++i) row[names[i]] = cells[i];
    rows.push_back(row);
  }
  return rows;
}

ModelFacts facts_of(const std::string& model) {
  const auto files = nlohmann::ordered_json::parse(read(models_folder() + "/configs/" + model + ".json"));
  return read_model_facts(
      {.origin = model,
       .config = files.at("config").dump(),
       .quantization = files.contains("quantization") ? files.at("quantization").dump() : "",
       .index = ""});
}

bool is_near(const std::string& expected, double counted) {
  return expected.empty() || std::abs(counted / std::stod(expected) - 1) <= kMost;
}

double kv_bytes(const Row& row, const ModelFacts& facts) {
  const std::string& number = row.at("kv_number_bytes");
  return facts.kv_bytes(number.empty() ? 2 : std::stod(number));
}

}  // namespace

// With RINGSIDE_MODEL_TOTALS set to a file, what was counted of each model is written there.
TEST_CASE("totals of published models are within 3 %, or the model is not understood") {
  const char* file = std::getenv("RINGSIDE_MODEL_TOTALS");
  std::ofstream table(file == nullptr ? "/dev/null" : file);
  table << "model\tfamily\tparameters\tweight_bytes\tkv_bytes\tunderstood\n";
  std::set<std::string> families;
  int right = 0;
  int cached = 0;
  for (const Row& row : published()) {
    const std::string& model = row.at("model");
    CAPTURE(model);
    const ModelFacts facts = facts_of(model);
    const bool fits = is_near(row.at("parameters"), facts.parameters) &&
                      is_near(row.at("weight_bytes"), facts.counted_bytes) &&
                      is_near(row.at("kv_bytes"), kv_bytes(row, facts));
    CAPTURE(facts.parameters, facts.counted_bytes, kv_bytes(row, facts), facts.not_understood);
    CHECK((fits || !facts.understood()));
    table << model << '\t' << row.at("family") << '\t' << facts.parameters << '\t' << facts.counted_bytes
          << '\t' << kv_bytes(row, facts) << '\t' << facts.understood() << '\n';
    if (!fits || !facts.understood()) continue;
    ++right;
    families.insert(row.at("family"));
    if (!row.at("kv_bytes").empty()) ++cached;
  }
  CHECK(right >= 60);
  CHECK(families.size() >= 20);
  CHECK(cached >= 15);
}

TEST_CASE("a total that is wrong in the table is noticed") {
  const ModelFacts facts = facts_of("Meta-Llama-3.1-8B");
  CHECK(is_near("8.03e9", facts.parameters));
  CHECK_FALSE(is_near("8.3e9", facts.parameters));
}
