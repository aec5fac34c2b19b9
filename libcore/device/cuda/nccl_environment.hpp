#pragma once

#include <string>

namespace ringside {

// Sets what the next NCCL communicator is made with: NCCL_ALGO and NCCL_PROTO, which NCCL reads by getenv
// during every communicator init. An empty text leaves the variable as it was found: absent, or what the user
// had set.
//
// While a communicator exists NCCL has threads of its own, and one that has just started may call getenv.
// setenv and unsetenv are not safe then: they move the array of variables, or its elements. Here neither
// happens. A variable keeps its element of `environ` for ever, and only the pointer in it is exchanged, in
// one atomic store, between texts that are never freed; getenv sees the one or the other. For "absent" the
// element holds a variable of another name. The elements are reserved by setenv once, before the first
// communicator, while the process has no thread that reads them.
class NcclEnvironment {
 public:
  // Reserves the elements. Call it before CUDA or NCCL is used in this process.
  static void reserve();

  static void choose(const std::string& algorithm, const std::string& protocol);
};

}  // namespace ringside
