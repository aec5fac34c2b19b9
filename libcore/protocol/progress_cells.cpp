#include "protocol/progress_cells.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "base/errors.hpp"

namespace ringside {

std::string_view to_string(Phase phase) {
  constexpr std::string_view names[] = {"starting",   "idle",      "connecting", "preparing",
                                        "first call", "verifying", "timing",     "releasing"};
  return names[static_cast<std::size_t>(phase)];
}

ProgressCells::ProgressCells(int ranks) : bytes_(sizeof(ProgressCell) * static_cast<std::size_t>(ranks)) {
  fd_ = UniqueFd(::memfd_create("ringside-progress", MFD_CLOEXEC));
  if (!fd_) throw SystemError("memfd_create", errno);
  if (::ftruncate(fd_.get(), static_cast<off_t>(bytes_)) != 0) throw SystemError("ftruncate", errno);
  map();
  for (ProgressCell& cell : cells_) new (&cell) ProgressCell;
}

ProgressCells::ProgressCells(UniqueFd fd, int ranks)
    : fd_(std::move(fd)), bytes_(sizeof(ProgressCell) * static_cast<std::size_t>(ranks)) {
  map();
}

void ProgressCells::map() {
  void* address = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, fd_.get(), 0);
  if (address == MAP_FAILED) throw SystemError("mmap of the progress page", errno);
  cells_ = {static_cast<ProgressCell*>(address), bytes_ / sizeof(ProgressCell)};
}

ProgressCells::~ProgressCells() {
  ::munmap(cells_.data(), bytes_);
}

}  // namespace ringside
