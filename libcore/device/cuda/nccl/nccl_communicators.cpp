#include "device/cuda/nccl/nccl_communicators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "device/cuda/agree.hpp"
#include "device/cuda/cuda_error.hpp"
#include "device/cuda/nccl/nccl_config.hpp"
#include "device/cuda/nccl_environment.hpp"

namespace ringside {
namespace {

constexpr int kFirstPerFunction = 22400;  // from 2.24 on a choice can be limited to one collective
constexpr int kSymmetricWindow = 1;       // NCCL_WIN_COLL_SYMMETRIC

// On all ranks alike: none is left behind in NCCL's own barrier.
void require_free_memory(Bootstrap& bootstrap) {
  std::size_t free = 0;
  std::size_t total = 0;
  agree(bootstrap, [&] { check_cuda(cudaMemGetInfo(&free, &total), "cudaMemGetInfo"); });
  std::vector<Bytes> free_by_rank;
  for (const std::string& theirs : bootstrap.all_gather(std::to_string(free)))
    free_by_rank.push_back({std::stoull(theirs)});
  if (const std::string reason = memory_shortage(free_by_rank); !reason.empty())
    throw UnavailableError(reason);
}

// Only allreduce is restricted where NCCL can do that: a communicator must be able to set itself up.
std::string restricted(const std::string& choice, int version) {
  if (choice.empty() || version < kFirstPerFunction) return choice;
  return "allreduce:" + choice;
}

std::string describe(const NcclChoice& choice) {
  const std::string algorithm = choice.algorithm.empty() ? "auto" : choice.algorithm;
  const std::string text = choice.protocol.empty() ? algorithm : algorithm + "/" + choice.protocol;
  return choice.one_graph ? text + ", one graph" : text;
}

ncclResult_t init_rank(const NcclApi& api, const NcclChoice& choice, ncclComm_t* comm, int ranks,
                       ncclUniqueId id, int rank) {
  if (!choice.one_graph) return api.init_rank(comm, ranks, id, rank);
  NcclConfig config;
  config.graph_usage_mode = NcclConfig::kOneGraph;
  return api.init_rank_config(comm, ranks, id, rank, &config);
}

// NCCL's configuration files set variables while the first communicator is made, and this one overrides what
// a communicator is configured with.
void require_one_graph() {
  const char* const mixing = std::getenv("NCCL_GRAPH_MIXING_SUPPORT");
  if (mixing != nullptr && std::strcmp(mixing, "0") != 0)
    throw UnavailableError("a configuration file of NCCL's sets NCCL_GRAPH_MIXING_SUPPORT");
}

}  // namespace

std::string memory_shortage(std::span<const Bytes> free_by_rank) {
  const auto least = std::ranges::min_element(free_by_rank);
  if (least == free_by_rank.end() || *least >= kNcclCommunicatorMemory) return "";
  return fmt::format(
      "{} of GPU memory is free on rank {}, and one more NCCL communicator may take {}; name fewer NCCL "
      "strategies in one --strategy list, or free the GPU",
      format_bytes(*least), least - free_by_rank.begin(), format_bytes(kNcclCommunicatorMemory));
}

NcclCommunicator::NcclCommunicator(CudaDevice& device, const NcclLibrary& library, const NcclChoice& choice)
    : device_(device), library_(library), choice_(choice) {
  require_free_memory(device_.bootstrap());
  ncclUniqueId id{};
  agree(device_.bootstrap(), [&] {
    if (device_.rank() == 0) library_.check(library_.api().get_unique_id(&id), "ncclGetUniqueId");
  });
  const auto ids = device_.bootstrap().all_gather({reinterpret_cast<const char*>(&id), sizeof id});
  std::memcpy(&id, ids.front().data(), sizeof id);
  NcclEnvironment::choose(restricted(choice.algorithm, library_.version()),
                          restricted(choice.protocol, library_.version()));
  if (choice.one_graph && library_.api().init_rank_config == nullptr)
    throw EnvironmentError(fmt::format("NCCL {} takes no configuration", library_.version_text()));
  const ncclResult_t result = init_rank(library_.api(), choice, &comm_, device_.ranks(), id, device_.rank());
  NcclEnvironment::choose("", "");
  library_.check(result, fmt::format("ncclCommInitRank ({})", describe(choice)));
  try {
    if (choice.one_graph) require_one_graph();
    if (choice.windows) register_arena();
  } catch (...) {
    library_.api().destroy(comm_);
    throw;
  }
  device_.watch(*this);
}

// The whole shared memory is one window: every buffer of it lies at the same offset on all ranks.
void NcclCommunicator::register_arena() {
  if (library_.api().window_register == nullptr) {
    throw EnvironmentError(
        fmt::format("NCCL {} has no symmetric windows (2.27 and later have)", library_.version_text()));
  }
  std::byte* base = device_.memory().bases()[static_cast<std::size_t>(device_.rank())];
  library_.check(
      library_.api().window_register(comm_, base, device_.memory().size().count, &window_, kSymmetricWindow),
      "ncclCommWindowRegister", comm_);
}

NcclCommunicator::~NcclCommunicator() {
  device_.unwatch(*this);
  if (comm_ == nullptr) return;
  if (window_ != nullptr) library_.api().window_deregister(comm_, window_);
  library_.api().destroy(comm_);
}

std::optional<std::string> NcclCommunicator::trouble() {
  ncclResult_t state = ncclSuccess;
  if (comm_ == nullptr) return std::nullopt;
  const ncclResult_t asked = library_.api().async_error(comm_, &state);
  if (asked != ncclSuccess) state = asked;
  if (state == ncclSuccess || state == ncclInProgress) return std::nullopt;
  std::string text = fmt::format("NCCL ({}): {}", describe(choice_), library_.api().error_string(state));
  if (library_.api().last_error != nullptr) text += fmt::format(" ({})", library_.api().last_error(comm_));
  return text;
}

void NcclCommunicator::abort() {
  if (comm_ == nullptr) return;
  library_.api().abort(comm_);
  comm_ = nullptr;
}

NcclCommunicators::NcclCommunicators(CudaDevice& device)
    : device_(device), library_(device.settings().nccl_library) {}

NcclCommunicators::~NcclCommunicators() {
  while (!communicators_.empty()) communicators_.pop_back();
}

NcclCommunicator& NcclCommunicators::get(const NcclChoice& choice) {
  for (const auto& communicator : communicators_) {
    if (communicator->choice() == choice) return *communicator;
  }
  communicators_.push_back(std::make_unique<NcclCommunicator>(device_, library_, choice));
  return *communicators_.back();
}

}  // namespace ringside
