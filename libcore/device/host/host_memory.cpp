#include "device/host/host_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "base/errors.hpp"
#include "base/fd.hpp"

namespace ringside {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr int kPopulateWrite = 23;  // MADV_POPULATE_WRITE of Linux 5.14, not in every header

UniqueFd create_memory(Bytes size) {
  UniqueFd fd(::memfd_create("ringside-rank", MFD_CLOEXEC));
  if (!fd) throw SystemError("memfd_create", errno);
  if (::ftruncate(fd.get(), static_cast<off_t>(size.count)) != 0) {
    throw SystemError("shared memory of " + format_bytes(size), errno);
  }
  return fd;
}

}  // namespace

// A file's pages at an aligned address; unmapped when it goes.
class HostMemory::Mapping {
 public:
  Mapping(int fd, Bytes size) : reserved_(size.count + (size.count >= kHugePage ? kHugePage : 0)) {
    // An address range with room to choose an aligned beginning; then the file in its place.
    range_ = ::mmap(nullptr, reserved_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range_ == MAP_FAILED) throw SystemError("address space of " + format_bytes({reserved_}), errno);
    const std::size_t misplaced = reinterpret_cast<std::uintptr_t>(range_) % kHugePage;
    const bool align = size.count >= kHugePage && misplaced != 0;
    base_ = static_cast<std::byte*>(range_) + (align ? kHugePage - misplaced : 0);
    if (::mmap(base_, size.count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED) {
      const int reason = errno;
      ::munmap(range_, reserved_);
      throw SystemError("mapping " + format_bytes(size) + " of shared memory", reason);
    }
    ::madvise(base_, size.count, MADV_HUGEPAGE);  // a wish
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() { ::munmap(range_, reserved_); }

  std::byte* base() const { return base_; }

 private:
  std::size_t reserved_;
  void* range_;
  std::byte* base_;
};

HostMemory::HostMemory(int ranks, Bytes each)
    : each_(each), mappings_(static_cast<std::size_t>(ranks)), bases_(static_cast<std::size_t>(ranks)) {}

// Maps and touches. The rank's owner does so first: the pages are then near its core.
void HostMemory::map(int rank, int fd) {
  const auto mapping = std::make_shared<Mapping>(fd, each_);
  if (::madvise(mapping->base(), each_.count, kPopulateWrite) != 0) {
    if (errno != EINVAL && errno != ENOSYS)
      throw SystemError("shared memory of " + format_bytes(each_), errno);
    for (std::size_t at = 0; at < each_.count; at += 4096) {
      const volatile std::byte touched = mapping->base()[at];
      static_cast<void>(touched);
    }
  }
  mappings_[static_cast<std::size_t>(rank)] = mapping;
  bases_[static_cast<std::size_t>(rank)] = mapping->base();
}

std::shared_ptr<const HostMemory> HostMemory::share(Bootstrap& bootstrap, Bytes each) {
  const std::shared_ptr<HostMemory> memory(new HostMemory(bootstrap.ranks(), each));
  const UniqueFd own = create_memory(each);
  memory->map(bootstrap.rank(), own.get());
  const std::vector<UniqueFd> all = bootstrap.peer_memory().all_gather_fd(own.get());
  for (int rank = 0; rank < bootstrap.ranks(); ++rank) {
    if (rank != bootstrap.rank()) memory->map(rank, all[static_cast<std::size_t>(rank)].get());
  }
  return memory;
}

std::shared_ptr<const HostMemory> HostMemory::in_one_process(int ranks, Bytes each) {
  const std::shared_ptr<HostMemory> memory(new HostMemory(ranks, each));
  for (int rank = 0; rank < ranks; ++rank) memory->map(rank, create_memory(each).get());
  return memory;
}

}  // namespace ringside
