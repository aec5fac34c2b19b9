#include "doctor/transport.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.hpp"

namespace ringside {
namespace {

constexpr const char* kRead = "2.30.7";  // the version whose source the rules were read in

// How far apart two GPUs are, in NCCL's words and order.
enum class Distance { pix, pxb, phb, sys };
constexpr std::array<const char*, 4> kNames = {"PIX", "PXB", "PHB", "SYS"};
constexpr std::array<const char*, 4> kMeanings = {"below one PCIe switch", "across PCIe switches",
                                                  "across the CPU's PCIe host bridge",
                                                  "across CPU sockets or host bridges"};

bool is_device(const std::string& part) {
  return part.size() >= 7 && part.find(':') != std::string::npos && part.find('.') != std::string::npos;
}

std::optional<Distance> distance(const BoxFacts& facts, int a, int b) {
  const auto one = facts.text(fmt::format("gpu.{}.pci_path", a));
  const auto other = facts.text(fmt::format("gpu.{}.pci_path", b));
  if (!one || !other) return std::nullopt;
  const std::vector<std::string> first = split(*one, '/');
  const std::vector<std::string> second = split(*other, '/');
  std::size_t common = 0;
  std::size_t bridges = 0;  // devices that both are below
  while (common < first.size() && common < second.size() && first[common] == second[common]) {
    bridges += is_device(first[common]);
    ++common;
  }
  if (common == 0 || first[common - 1].rfind("pci", 0) != 0) {
    if (bridges == 0) return Distance::sys;  // no host bridge in common
  }
  if (bridges < 2) return Distance::phb;  // a root port alone is no switch
  const std::size_t below = std::max(first.size(), second.size()) - common;
  return below <= 2 ? Distance::pix : Distance::pxb;
}

// NCCL_P2P_LEVEL as it reads it: a name or a number of the older kind. Nothing: not set, or not understood.
std::optional<Distance> asked_level(const BoxFacts& facts) {
  const auto text = facts.text("env.NCCL_P2P_LEVEL");
  if (!text) return std::nullopt;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (*text == kNames[i]) return static_cast<Distance>(i);
  }
  if (*text == "NODE") return Distance::phb;
  return std::nullopt;
}

PathPrediction predict(const BoxFacts& facts, int a, int b) {
  PathPrediction prediction;
  prediction.by =
      fmt::format("NCCL {} (rules of {})", facts.text_or("nccl.version", "(version not known)"), kRead);
  prediction.subject = fmt::format("GPU {} - GPU {}", a, b);
  const auto settle = [&](const char* path, std::string because) {
    prediction.path = path;
    prediction.because = std::move(because);
    return prediction;
  };
  constexpr const char* kHost = "host memory (SHM)";
  if (facts.text("env.NCCL_P2P_DISABLE") == "1") return settle(kHost, "NCCL_P2P_DISABLE=1");
  const auto access = facts.flag(fmt::format("pair.{}.{}.access", a, b));
  if (!access) {
    prediction.because = "peer access: " + facts.why(fmt::format("pair.{}.{}.access", a, b));
    return prediction;
  }
  if (!*access) return settle(kHost, "the driver offers no peer access");
  const double links = std::min(facts.number(fmt::format("gpu.{}.nvlinks", a)).value_or(0),
                                facts.number(fmt::format("gpu.{}.nvlinks", b)).value_or(0));
  if (links > 0 && facts.count("gpus.count") == 2)
    return settle("peer access over NVLink", fmt::format("{} NVLinks are active", links));
  if (links > 0 && facts.text(fmt::format("gpu.{}.fabric", a)) == "completed")
    return settle("peer access over NVLink", "NVSwitches join all GPUs");
  if (links > 0) {
    prediction.because = "both have NVLinks; whether these join the two was not looked at";
    return prediction;
  }
  const auto far = distance(facts, a, b);
  if (!far) {
    prediction.because = "their places on the PCIe bus: " + facts.why(fmt::format("gpu.{}.pci_path", a));
    return prediction;
  }
  const bool amd = facts.text_or("host.cpu_vendor", "").find("AMD") != std::string::npos;
  const bool wide = amd && facts.count("gpus.count") <= 2;
  const auto asked = asked_level(facts);
  const Distance reach = asked ? *asked : wide ? Distance::sys : Distance::pxb;
  const std::string rule = asked  ? "NCCL_P2P_LEVEL=" + facts.text_or("env.NCCL_P2P_LEVEL", "")
                           : wide ? "with an AMD CPU and two GPUs NCCL uses peer access at any distance"
                                  : "NCCL uses peer access up to PXB";
  const auto number = static_cast<std::size_t>(*far);
  const std::string place = fmt::format("{} ({})", kNames[number], kMeanings[number]);
  return settle(*far <= reach ? "peer access over PCIe" : kHost, fmt::format("they are {}; {}", place, rule));
}

}  // namespace

std::vector<PathPrediction> predict_transports(const BoxFacts& facts) {
  std::vector<PathPrediction> predictions;
  const int gpus = facts.count("gpus.count");
  for (int a = 0; a < gpus; ++a) {
    for (int b = a + 1; b < gpus; ++b) predictions.push_back(predict(facts, a, b));
  }
  return predictions;
}

}  // namespace ringside
