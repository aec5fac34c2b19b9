// Preloaded into ringside, for tests of what a sudden death leaves behind: the RINGSIDE_DIE_AT-th call of
// those that make a file (open, write, fchmod, fsync, linkat, rename, unlink) does not come back. A write is
// carried out by half before it.
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace {

bool last_call() {
  static const char* const text = std::getenv("RINGSIDE_DIE_AT");
  static long left = text == nullptr ? -1 : std::atol(text);
  return left >= 0 && left-- == 0;
}

void die() {
  ::kill(::getpid(), SIGKILL);
  for (;;) ::pause();
}

template <typename Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  if (last_call()) die();
  mode_t mode = 0;
  if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) {
    va_list arguments;
    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t);
    va_end(arguments);
  }
  return real<int(const char*, int, ...)>("open")(path, flags, mode);
}

ssize_t write(int fd, const void* data, size_t size) {
  static auto* const next = real<ssize_t(int, const void*, size_t)>("write");
  if (last_call()) {
    static_cast<void>(next(fd, data, size / 2));
    die();
  }
  return next(fd, data, size);
}

int fchmod(int fd, mode_t mode) {
  if (last_call()) die();
  return real<int(int, mode_t)>("fchmod")(fd, mode);
}

int fsync(int fd) {
  if (last_call()) die();
  return real<int(int)>("fsync")(fd);
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  if (last_call()) die();
  return real<int(int, const char*, int, const char*, int)>("linkat")(from_folder, from, to_folder, to,
                                                                      flags);
}

int rename(const char* from, const char* to) noexcept {
  if (last_call()) die();
  return real<int(const char*, const char*)>("rename")(from, to);
}

int unlink(const char* path) noexcept {
  if (last_call()) die();
  return real<int(const char*)>("unlink")(path);
}
}
