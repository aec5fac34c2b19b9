#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/units.hpp"
#include "bootstrap/bootstrap.hpp"

namespace ringside {

// Every rank's memory as mapped in this process: one memfd per rank, so nothing of it stays behind. Its pages
// are there and mapped before the first use; they are huge pages where the system lets shared memory have
// them.
class HostMemory {
 public:
  // Ranks are processes: each makes its own memory of `each` bytes and maps the others'. Collective. Throws
  // SystemError when there is not enough.
  static std::shared_ptr<const HostMemory> share(Bootstrap& bootstrap, Bytes each);

  // Ranks are threads of this process: all of them use the same mappings, so that a race detector sees one
  // address for one byte.
  static std::shared_ptr<const HostMemory> in_one_process(int ranks, Bytes each);

  // Where rank r's memory begins; a multiple of 2 MiB where that much was asked for, else of a page.
  const std::vector<std::byte*>& bases() const { return bases_; }

 private:
  class Mapping;

  HostMemory(int ranks, Bytes each);
  void map(int rank, int fd);

  Bytes each_;
  std::vector<std::shared_ptr<Mapping>> mappings_;
  std::vector<std::byte*> bases_;
};

}  // namespace ringside
