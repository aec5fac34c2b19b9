#pragma once

#include <cstddef>

#include "bootstrap/bootstrap.hpp"

namespace ringside {

// Zeroed host memory that all ranks and their GPUs share: where flags live when GPUs can't reach each other.
// It is a memfd; nothing of it stays behind.
class HostFlags {
 public:
  // Collective; throws EnvironmentError on all ranks when it fails on one.
  HostFlags(Bootstrap& bootstrap, std::size_t bytes);
  HostFlags(const HostFlags&) = delete;
  HostFlags& operator=(const HostFlags&) = delete;
  ~HostFlags();

  void* device_address() const { return device_address_; }

 private:
  void* host_address_ = nullptr;
  void* device_address_ = nullptr;
  std::size_t bytes_;
  bool registered_ = false;
};

}  // namespace ringside
