#include "served/nccl_ras.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "model/json_tree.hpp"

namespace ringside {

namespace {

constexpr std::size_t kMaxText = 200;
constexpr std::size_t kMaxCollectives = 64, kMaxRanks = 65536, kMaxCommunicators = 4096;

const JsonNode* find(const JsonNode& object, std::string_view name) {
  if (object.kind != JsonKind::object) return nullptr;
  const JsonNode* key = &object + 1;
  for (std::uint32_t i = 0; i < object.size; ++i) {
    const JsonNode* value = key->next();
    if (key->string() == name) return value;
    key = value->next();
  }
  return nullptr;
}

std::int64_t whole(const JsonNode* node, std::int64_t otherwise) {
  if (!node || node->kind != JsonKind::whole || node->is.whole > (std::uint64_t{1} << 53)) return otherwise;
  return static_cast<std::int64_t>(node->is.whole);
}

int small(const JsonNode* node, int otherwise) {
  const std::int64_t value = whole(node, otherwise);
  return value > 2147483647 ? otherwise : static_cast<int>(value);
}

std::string text(const JsonNode* node) {
  return node && node->kind == JsonKind::string ? std::string(node->string().substr(0, kMaxText)) : "";
}

bool truth(const JsonNode* node) {
  return node && node->kind == JsonKind::boolean && node->is.truth;
}

template <typename Take>
void each(const JsonNode* array, std::size_t most, Take take) {
  if (!array || array->kind != JsonKind::array) return;
  const JsonNode* element = array + 1;
  for (std::uint32_t i = 0; i < array->size && i < most; ++i, element = element->next()) take(*element);
}

RasRank rank_of(const JsonNode& node, bool missing) {
  RasRank rank;
  rank.rank = small(find(node, "rank"), -1);
  rank.host = text(find(node, "host"));
  rank.pid = small(find(node, "pid"), -1);
  rank.cuda_device = small(find(node, "cuda_dev"), -1);
  rank.missing = missing;
  if (const JsonNode* status = find(node, "status")) {
    rank.aborted = truth(find(*status, "abort_flag"));
    rank.dead = truth(find(*status, "considered_dead"));
    rank.async_error = small(find(*status, "async_error"), 0);
  }
  if (const JsonNode* counts = find(node, "collective_counts"); counts && counts->kind == JsonKind::object) {
    const JsonNode* key = counts + 1;
    for (std::uint32_t i = 0; i < counts->size && i < kMaxCollectives; ++i) {
      const JsonNode* value = key->next();
      rank.launched[std::string(key->string().substr(0, kMaxText))] = whole(value, 0);
      key = value->next();
    }
  }
  return rank;
}

}  // namespace

std::int64_t RasRank::total() const {
  return std::accumulate(launched.begin(), launched.end(), std::int64_t{0},
                         [](std::int64_t sum, const auto& item) { return sum + item.second; });
}

bool looks_like_ras(std::string_view text) {
  const std::string_view seen = text.substr(0, 4096);
  return seen.find('{') != std::string_view::npos && seen.find("\"communicators\"") != std::string_view::npos;
}

RasReport read_ras(std::string_view text, const std::string& origin) {
  const std::size_t begin = text.find('{');
  if (begin == std::string_view::npos) throw UsageError(fmt::format("{}: no JSON of NCCL's RAS", origin));
  const JsonTree tree(text.substr(begin), origin);
  const JsonNode* communicators = find(tree.root(), "communicators");
  if (!communicators || communicators->kind != JsonKind::array)
    throw UsageError(fmt::format("{}: no report of NCCL's RAS: it has no communicators", origin));
  RasReport report;
  report.nccl_version = ringside::text(find(tree.root(), "nccl_version"));
  std::size_t left = kMaxRanks;
  each(communicators, kMaxCommunicators, [&](const JsonNode& node) {
    RasCommunicator communicator;
    communicator.hash = ringside::text(find(node, "hash"));
    communicator.size = small(find(node, "size"), 0);
    const auto take = [&](bool missing) {
      return [&communicator, &left, missing](const JsonNode& rank) {
        if (left == 0) return;
        --left;
        communicator.ranks.push_back(rank_of(rank, missing));
      };
    };
    each(find(node, "ranks"), kMaxRanks, take(false));
    each(find(node, "missing_ranks"), kMaxRanks, take(true));
    std::stable_sort(communicator.ranks.begin(), communicator.ranks.end(),
                     [](const RasRank& a, const RasRank& b) { return a.rank < b.rank; });
    report.communicators.push_back(std::move(communicator));
  });
  return report;
}

}  // namespace ringside
