#include "device/cuda/shared_memory.hpp"

#include <fmt/format.h>

#include <cstring>

#include "base/errors.hpp"
#include "device/cuda/agree.hpp"
#include "device/cuda/cuda_error.hpp"
#include "device/cuda/mapped_memory.hpp"

namespace ringside {
namespace {

// What CUDA and a library or two still need beside the arena.
constexpr Bytes kReserve = 512_MiB;

void require_free_memory(Bytes bytes, int device) {
  std::size_t free = 0;
  std::size_t total = 0;
  check_cuda(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  if (free >= bytes.count + kReserve.count) return;
  throw EnvironmentError(fmt::format(
      "GPU {} has {} of {} free, but {} is needed; end what else runs on it or ask for "
      "smaller messages",
      device, format_bytes({free}), format_bytes({total}), format_bytes({bytes.count + kReserve.count})));
}

bool reaches(int device, int peer) {
  if (device == peer) return true;  // two ranks on one GPU
  int can = 0;
  check_cuda(cudaDeviceCanAccessPeer(&can, device, peer), "cudaDeviceCanAccessPeer");
  return can != 0;
}

class FdSharedMemory final : public SharedMemory {
 public:
  FdSharedMemory(Bootstrap& bootstrap, const std::vector<int>& devices, Bytes bytes) {
    const auto self = static_cast<std::size_t>(bootstrap.rank());
    UniqueFd exported;
    memory_.resize(devices.size());
    agree(bootstrap, [&] {
      memory_[self] = MappedMemory::create(devices[self], bytes);
      exported = memory_[self].export_fd();
    });
    std::vector<UniqueFd> fds = bootstrap.peer_memory().all_gather_fd(exported.get());
    agree(bootstrap, [&] {
      for (std::size_t peer = 0; peer < devices.size(); ++peer) {
        if (peer == self || !reaches(devices[self], devices[peer])) continue;
        memory_[peer] = MappedMemory::import(devices[self], fds[peer].get(), memory_[self].size());
      }
    });
    for (const MappedMemory& memory : memory_) bases_.push_back(memory.data());
    size_ = memory_[self].size();
  }

  const std::vector<std::byte*>& bases() const override { return bases_; }
  Bytes size() const override { return size_; }
  std::string_view sharing() const override { return "file descriptors"; }

 private:
  std::vector<MappedMemory> memory_;  // by rank; the physical memory lives until its last mapping is gone
  std::vector<std::byte*> bases_;
  Bytes size_;
};

class IpcSharedMemory final : public SharedMemory {
 public:
  IpcSharedMemory(Bootstrap& bootstrap, const std::vector<int>& devices, Bytes bytes)
      : bases_(devices.size(), nullptr), self_(static_cast<std::size_t>(bootstrap.rank())), size_(bytes) {
    cudaIpcMemHandle_t handle{};
    agree(bootstrap, [&] {
      void* own = nullptr;
      check_cuda(cudaMalloc(&own, bytes.count), fmt::format("cudaMalloc of {}", format_bytes(bytes)));
      bases_[self_] = static_cast<std::byte*>(own);
      check_cuda(cudaIpcGetMemHandle(&handle, own), "cudaIpcGetMemHandle");
    });
    const auto handles = bootstrap.all_gather({reinterpret_cast<const char*>(&handle), sizeof handle});
    agree(bootstrap, [&] {
      for (std::size_t peer = 0; peer < devices.size(); ++peer) {
        if (peer == self_ || !reaches(devices[self_], devices[peer])) continue;
        cudaIpcMemHandle_t theirs{};
        std::memcpy(&theirs, handles[peer].data(), sizeof theirs);
        void* mapped = nullptr;
        check_cuda(cudaIpcOpenMemHandle(&mapped, theirs, cudaIpcMemLazyEnablePeerAccess),
                   "cudaIpcOpenMemHandle");
        bases_[peer] = static_cast<std::byte*>(mapped);
      }
    });
  }

  // This rank's own memory is left to the end of the process: it must not be freed while a peer has it open,
  // and the peers can no longer be asked.
  ~IpcSharedMemory() override {
    for (std::size_t peer = 0; peer < bases_.size(); ++peer) {
      if (peer != self_ && bases_[peer] != nullptr) static_cast<void>(cudaIpcCloseMemHandle(bases_[peer]));
    }
  }

  const std::vector<std::byte*>& bases() const override { return bases_; }
  Bytes size() const override { return size_; }
  std::string_view sharing() const override { return "CUDA IPC"; }

 private:
  std::vector<std::byte*> bases_;
  std::size_t self_;
  Bytes size_;
};

}  // namespace

std::unique_ptr<SharedMemory> share_gpu_memory(Bootstrap& bootstrap, const std::vector<int>& devices,
                                               Bytes bytes) {
  const int device = devices[static_cast<std::size_t>(bootstrap.rank())];
  agree(bootstrap, [&] { require_free_memory(bytes, device); });
  bool by_fd = true;
  for (const std::string& theirs : bootstrap.all_gather(can_share_by_fd(device) ? "fd" : ""))
    by_fd &= theirs == "fd";
  if (by_fd) return std::make_unique<FdSharedMemory>(bootstrap, devices, bytes);
  return std::make_unique<IpcSharedMemory>(bootstrap, devices, bytes);
}

}  // namespace ringside
