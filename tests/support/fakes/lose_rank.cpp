// Preloaded into ringside, for tests of ranks that are lost before they are ready: rank RINGSIDE_LOSE_RANK
// sends itself RINGSIDE_LOSE_SIGNAL before its main(), as often as there are files in RINGSIDE_LOSE_FOLDER to
// be taken.
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

namespace {

bool is_rank(const char* number) {
  char words[256] = {};
  const int file = ::open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  const ssize_t got = ::read(file, words, sizeof words - 1);
  ::close(file);
  const char* const word = words + std::strlen(words) + 1;
  if (got <= 0 || std::strcmp(word, "__rank") != 0) return false;
  return std::strcmp(word + std::strlen(word) + 1, number) == 0;
}

bool take_file(const char* folder) {
  DIR* const open = ::opendir(folder);
  if (open == nullptr) return false;
  bool taken = false;
  while (const dirent* entry = ::readdir(open)) {
    const std::string path = std::string(folder) + "/" + entry->d_name;
    taken = entry->d_name[0] != '.' && ::unlink(path.c_str()) == 0;
    if (taken) break;
  }
  ::closedir(open);
  return taken;
}

__attribute__((constructor)) void lose() {
  const char* const number = std::getenv("RINGSIDE_LOSE_RANK");
  const char* const folder = std::getenv("RINGSIDE_LOSE_FOLDER");
  const char* const signal_number = std::getenv("RINGSIDE_LOSE_SIGNAL");
  if (number == nullptr || folder == nullptr || signal_number == nullptr || !is_rank(number)) return;
  if (take_file(folder)) ::kill(::getpid(), std::atoi(signal_number));
}

}  // namespace
