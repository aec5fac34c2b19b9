// The static libstdc++ of g++ 12 calls arc4random for std::random_device, and glibc has it only since 2.36.
// With this definition in the binary it also starts on 2.35 (Ubuntu 22.04); tests/checks/binary_check.py
// holds us to that.
#include <sys/random.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>

extern "C" std::uint32_t arc4random() noexcept {
  std::uint32_t value = 0;
  while (getrandom(&value, sizeof value, 0) != sizeof value) {
    if (errno != EINTR) std::abort();  // a kernel without getrandom; there is no error to return
  }
  return value;
}
