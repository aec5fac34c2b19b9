#include "run/spec_allreduce.hpp"

#include "base/errors.hpp"
#include "base/input_file.hpp"

namespace ringside {

SpecAllreduce read_allreduce_file(const std::string& path, int) {
  read_input(path, std::size_t{64} << 20);
  throw UsageError(path + ": times of allreduces can't be read yet");
}

}  // namespace ringside
