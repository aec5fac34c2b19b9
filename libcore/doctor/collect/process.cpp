#include <fcntl.h>
#include <fmt/format.h>
#include <linux/mempolicy.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "base/text.hpp"
#include "doctor/collect.hpp"
#include "machine/resources.hpp"

namespace ringside {
namespace {

std::string limit_text(rlim_t limit) {
  return limit == RLIM_INFINITY ? "unlimited" : fmt::format("{}", limit);
}

void add_limit(BoxFacts& facts, const std::string& name, int which) {
  rlimit limit{};
  if (::getrlimit(static_cast<__rlimit_resource_t>(which), &limit) != 0)
    return facts.not_known(name, std::strerror(errno));
  facts.set(name, limit_text(limit.rlim_cur));
  facts.set(name + "_hard", limit_text(limit.rlim_max));
}

void add_shared_memory(BoxFacts& facts) {
  struct statvfs space {};
  if (::statvfs("/dev/shm", &space) != 0) {
    facts.not_known("shm.free_bytes", std::string("/dev/shm: ") + std::strerror(errno));
    return;
  }
  facts.set("shm.size_bytes", static_cast<double>(space.f_blocks) * static_cast<double>(space.f_frsize));
  facts.set("shm.free_bytes", static_cast<double>(space.f_bavail) * static_cast<double>(space.f_frsize));
}

// Runs `probe` in a child and tells by which error it ended: "ok", or the error's name. A child, as a filter
// of system calls may kill the caller.
template <typename Probe>
void add_probe(BoxFacts& facts, const std::string& name, const Probe& probe) {
  const pid_t child = ::fork();
  if (child < 0) return facts.not_known(name, std::string("fork: ") + std::strerror(errno));
  if (child == 0) {
    const int error = probe();
    ::_exit(error >= 0 && error < 250 ? error : 250);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    facts.set(name, fmt::format("killed by signal {}", WTERMSIG(status)));
  } else if (WEXITSTATUS(status) == 0) {
    facts.set(name, "ok");
  } else if (WEXITSTATUS(status) == 250) {
    facts.not_known(name, "the probe could not be made");
  } else {
    facts.set(name, std::strerror(WEXITSTATUS(status)));
  }
}

// A descriptor of another process, as servers share memory between ranks: 0, or the error.
int take_descriptor() {
  int pipe_ends[2];
  if (::pipe(pipe_ends) != 0) return 250;
  const pid_t other = ::fork();
  if (other < 0) return 250;
  if (other == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::close(pipe_ends[1]);
    char byte = 0;
    static_cast<void>(!::read(pipe_ends[0], &byte, 1));  // until the asker has done
    ::_exit(0);
  }
  int error = 0;
#ifdef SYS_pidfd_getfd
  const long pidfd = ::syscall(SYS_pidfd_open, other, 0);
  if (pidfd < 0) {
    error = errno;
  } else if (::syscall(SYS_pidfd_getfd, pidfd, pipe_ends[0], 0) < 0) {
    error = errno;
  }
#else
  error = ENOSYS;
#endif
  ::close(pipe_ends[1]);
  ::kill(other, SIGKILL);
  ::waitpid(other, nullptr, 0);
  return error;
}

// Binding memory to the nodes that this process may use anyway: 0, or the error.
int bind_memory() {
  unsigned long nodes[16] = {};
  if (::syscall(SYS_get_mempolicy, nullptr, nodes, sizeof nodes * 8, nullptr, MPOL_F_MEMS_ALLOWED) != 0)
    return errno;
  return ::syscall(SYS_set_mempolicy, MPOL_BIND, nodes, sizeof nodes * 8) == 0 ? 0 : errno;
}

void add_temporary_folder(BoxFacts& facts) {
  const char* const named = std::getenv("TMPDIR");
  const std::string folder = named != nullptr && *named != '\0' ? named : "/tmp";
  facts.set("tmpdir.path", folder);
  const std::string path = fmt::format("{}/ringside-doctor-{}", folder, ::getpid());
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    facts.set("tmpdir.socket", fmt::format("a path there has {} characters, a socket's may have {}",
                                           path.size(), sizeof address.sun_path - 1));
    return;
  }
  std::memcpy(address.sun_path, path.c_str(), path.size());
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return facts.not_known("tmpdir.socket", std::strerror(errno));
  if (::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    facts.set("tmpdir.socket", "ok");
    ::unlink(path.c_str());
  } else {
    facts.set("tmpdir.socket", std::strerror(errno));
  }
  ::close(socket);
}

}  // namespace

void collect_process(BoxFacts& facts) {
  if (std::getenv("KUBERNETES_SERVICE_HOST") != nullptr) facts.set("host.container", "kubernetes");
  add_limit(facts, "limit.memlock", RLIMIT_MEMLOCK);
  add_limit(facts, "limit.nofile", RLIMIT_NOFILE);
  add_limit(facts, "limit.nproc", RLIMIT_NPROC);
  add_shared_memory(facts);
  std::vector<std::string> cores;
  for (const int core : allowed_core_list()) cores.push_back(fmt::format("{}", core));
  facts.set("cpus.allowed", join(cores, ","));
  facts.set("cpus.usable", static_cast<double>(usable_cores()));
  add_probe(facts, "probe.take_descriptor", take_descriptor);
  add_probe(facts, "probe.bind_memory", bind_memory);
  add_temporary_folder(facts);
}

}  // namespace ringside
