#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/cuda/cuda_device.hpp"
#include "device/cuda/nccl/nccl_library.hpp"
#include "device/make_device.hpp"

namespace ringside {

// What distinguishes communicators. Empty texts leave the choice to NCCL.
struct NcclChoice {
  std::string algorithm;  // "ring", "tree", "nvls"
  std::string protocol;   // "ll", "ll128", "simple"
  bool windows = false;   // the arena is registered as a symmetric window
  // Configured for one graph at a time and no other calls beside it (ncclConfig_t::graphUsageMode = 1); needs
  // NCCL 2.29.
  bool one_graph = false;

  bool operator==(const NcclChoice&) const = default;
};

// Why GPUs with so much free memory, by rank, are given no communicator; empty when they have room for one.
std::string memory_shortage(std::span<const Bytes> free_by_rank);

// One NCCL communicator over all ranks. Its calls are watched while the device waits for them.
class NcclCommunicator final : public Watched {
 public:
  // Collective, and takes some hundred milliseconds. Throws NcclError, or UnavailableError when a GPU is
  // short of memory.
  NcclCommunicator(CudaDevice& device, const NcclLibrary& library, const NcclChoice& choice);
  NcclCommunicator(const NcclCommunicator&) = delete;
  NcclCommunicator& operator=(const NcclCommunicator&) = delete;
  ~NcclCommunicator() override;

  ncclComm_t get() const { return comm_; }
  const NcclChoice& choice() const { return choice_; }
  void* window() const { return window_; }  // ncclWindow_t of the whole arena; null without windows

  std::optional<std::string> trouble() override;
  void abort() override;

 private:
  void register_arena();

  CudaDevice& device_;
  const NcclLibrary& library_;
  NcclChoice choice_;
  ncclComm_t comm_ = nullptr;
  void* window_ = nullptr;
};

// The NCCL library of a rank and its communicators, each made when first asked for and kept as long as the
// device: one costs hundreds of milliseconds and up to 1 GB. A companion of the device.
class NcclCommunicators {
 public:
  // Opens the library that the device's settings name; throws EnvironmentError.
  explicit NcclCommunicators(CudaDevice& device);
  ~NcclCommunicators();

  const NcclLibrary& library() const { return library_; }
  NcclCommunicator& get(const NcclChoice& choice);  // collective

 private:
  CudaDevice& device_;
  NcclLibrary library_;
  std::vector<std::unique_ptr<NcclCommunicator>> communicators_;
};

}  // namespace ringside
