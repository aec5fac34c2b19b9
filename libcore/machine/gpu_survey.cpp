#include "machine/gpu_survey.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/errors.hpp"
#include "base/text.hpp"

namespace ringside {
namespace {

std::string describe_gpus(const GpuSurvey& survey) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < survey.gpus.size(); ++i) {
    texts.push_back(fmt::format("{} ({} {})", i, survey.gpus[i].name, survey.gpus[i].uuid));
  }
  return join(texts, ", ");
}

std::size_t find_gpu(const GpuSurvey& survey, const std::string& name) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
  if (error == std::errc{} && end == name.data() + name.size()) {
    if (index < survey.gpus.size()) return index;
    throw UsageError(fmt::format("--gpus: there is no GPU {}; here are {}", index, describe_gpus(survey)));
  }
  std::vector<std::size_t> matches;
  for (std::size_t i = 0; i < survey.gpus.size(); ++i) {
    if (!name.empty() && survey.gpus[i].uuid.starts_with(name)) matches.push_back(i);
  }
  if (matches.size() == 1) return matches.front();
  throw UsageError(fmt::format("--gpus: '{}' {}; here are {}", name,
                               matches.empty() ? "is neither a GPU's number nor the beginning of its UUID"
                                               : "is the beginning of several UUIDs",
                               describe_gpus(survey)));
}

}  // namespace

bool all_pairs_reach(const GpuSurvey& survey) {
  return std::all_of(survey.pairs.begin(), survey.pairs.end(),
                     [](const GpuPair& pair) { return pair.access; });
}

GpuSurvey select_gpus(const GpuSurvey& survey, const std::vector<std::size_t>& chosen) {
  GpuSurvey selected = survey;
  selected.gpus.clear();
  selected.pairs.clear();
  for (const std::size_t from : chosen) {
    selected.gpus.push_back(survey.gpus[from]);
    for (const std::size_t to : chosen) selected.pairs.push_back(survey.pair(from, to));
  }
  return selected;
}

std::vector<std::size_t> choose_gpus(const GpuSurvey& survey, const std::string& list, int ranks) {
  std::vector<std::size_t> chosen;
  if (list.empty()) {
    const auto wanted = static_cast<std::size_t>(ranks);
    if (wanted > survey.gpus.size()) {
      throw EnvironmentError(
          fmt::format("{} ranks need {} GPUs; {} can be used here", ranks, ranks, survey.gpus.size()));
    }
    for (std::size_t i = 0; i < wanted; ++i) chosen.push_back(i);
    return chosen;
  }
  for (const std::string& name : split(list, ',')) {
    const std::size_t gpu = find_gpu(survey, std::string(trim(name)));
    if (std::find(chosen.begin(), chosen.end(), gpu) != chosen.end()) {
      throw UsageError(fmt::format("--gpus: GPU {} is named twice; each rank needs its own", gpu));
    }
    chosen.push_back(gpu);
  }
  return chosen;
}

}  // namespace ringside
