#include <nlohmann/json.hpp>

#include "launch/gpu_survey_child.hpp"

namespace ringside {
namespace {

using nlohmann::json;

json gpu_json(const GpuFacts& gpu) {
  return {{"uuid", gpu.uuid},
          {"pci_address", gpu.pci_address},
          {"name", gpu.name},
          {"compute_capability", gpu.compute_capability},
          {"multiprocessors", gpu.multiprocessors},
          {"memory", gpu.memory.count},
          {"l2_cache", gpu.l2_cache.count},
          {"multicast", gpu.multicast},
          {"memory_sharing", gpu.memory_sharing}};
}

GpuFacts gpu_from(const json& j) {
  return {.uuid = j.at("uuid"),
          .pci_address = j.at("pci_address"),
          .name = j.at("name"),
          .compute_capability = j.at("compute_capability"),
          .multiprocessors = j.at("multiprocessors"),
          .memory = {j.at("memory").get<std::uint64_t>()},
          .l2_cache = {j.at("l2_cache").get<std::uint64_t>()},
          .multicast = j.at("multicast"),
          .memory_sharing = j.at("memory_sharing")};
}

json nccl_json(const NcclFacts& nccl) {
  return {{"problem", nccl.problem}, {"path", nccl.path},       {"origin", nccl.origin},
          {"version", nccl.version}, {"missing", nccl.missing}, {"header_version", nccl.header_version}};
}

NcclFacts nccl_from(const json& j) {
  return {.problem = j.at("problem"),
          .path = j.at("path"),
          .origin = j.at("origin"),
          .version = j.at("version"),
          .missing = j.at("missing").get<std::vector<std::string>>(),
          .header_version = j.at("header_version")};
}

}  // namespace

std::string survey_to_json(const GpuSurvey& survey) {
  json gpus = json::array();
  for (const GpuFacts& gpu : survey.gpus) gpus.push_back(gpu_json(gpu));
  json pairs = json::array();
  for (const GpuPair& pair : survey.pairs) {
    pairs.push_back({pair.access, pair.native_atomics, pair.performance_rank});
  }
  return json{{"problem", survey.problem},
              {"gpus", gpus},
              {"pairs", pairs},
              {"driver_version", survey.driver_version},
              {"runtime_version", survey.runtime_version},
              {"nccl", nccl_json(survey.nccl)}}
      .dump(-1, ' ', false, json::error_handler_t::replace);
}

GpuSurvey survey_from_json(const std::string& text) {
  const json j = json::parse(text);
  GpuSurvey survey;
  survey.problem = j.at("problem");
  for (const json& gpu : j.at("gpus")) survey.gpus.push_back(gpu_from(gpu));
  for (const json& pair : j.at("pairs")) survey.pairs.push_back({pair.at(0), pair.at(1), pair.at(2)});
  survey.driver_version = j.at("driver_version");
  survey.runtime_version = j.at("runtime_version");
  survey.nccl = nccl_from(j.at("nccl"));
  return survey;
}

}  // namespace ringside
