#include "device/cuda/host_flags.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "base/errors.hpp"
#include "device/cuda/agree.hpp"
#include "device/cuda/cuda_error.hpp"

namespace ringside {

HostFlags::HostFlags(Bootstrap& bootstrap, std::size_t bytes) : bytes_(bytes) {
  UniqueFd file;
  agree(bootstrap, [&] {
    file = UniqueFd(::memfd_create("ringside-flags", MFD_CLOEXEC));
    if (!file) throw SystemError("memfd_create", errno);
    if (::ftruncate(file.get(), static_cast<off_t>(bytes)) != 0)
      throw SystemError("ftruncate of a memfd", errno);
  });
  const std::vector<UniqueFd> files = bootstrap.peer_memory().all_gather_fd(file.get());
  agree(bootstrap, [&] {
    void* mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, files.front().get(), 0);
    if (mapped == MAP_FAILED) throw SystemError("mmap of a memfd", errno);
    host_address_ = mapped;
    check_cuda(cudaHostRegister(mapped, bytes, cudaHostRegisterMapped | cudaHostRegisterPortable),
               "cudaHostRegister");
    registered_ = true;
    check_cuda(cudaHostGetDevicePointer(&device_address_, mapped, 0), "cudaHostGetDevicePointer");
  });
}

HostFlags::~HostFlags() {
  if (registered_) static_cast<void>(cudaHostUnregister(host_address_));
  if (host_address_ != nullptr) ::munmap(host_address_, bytes_);
}

}  // namespace ringside
