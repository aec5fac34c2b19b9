#include "device/cuda/nccl/nccl_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>

#include "base/text.hpp"
#include "machine/versions.hpp"

namespace ringside {
namespace {

std::string loaded_path(const void* function, const std::string& asked) {
  Dl_info info{};
  if (::dladdr(function, &info) == 0 || info.dli_fname == nullptr) return asked;
  char* resolved = ::realpath(info.dli_fname, nullptr);
  if (resolved == nullptr) return info.dli_fname;
  std::string path(resolved);
  std::free(resolved);
  return path;
}

}  // namespace

NcclLibrary::NcclLibrary(const std::string& path) {
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = ::dlerror();
    throw EnvironmentError(fmt::format("can't open NCCL: {}; name another one with --nccl-lib",
                                       reason == nullptr ? path.c_str() : reason));
  }
  std::vector<std::string> lacking;
  const auto resolve = [&](auto& target, const char* symbol, std::vector<std::string>& absent) {
    target = reinterpret_cast<std::remove_reference_t<decltype(target)>>(::dlsym(library, symbol));
    if (target == nullptr) absent.emplace_back(symbol);
  };
  resolve(api_.get_version, "ncclGetVersion", lacking);
  resolve(api_.error_string, "ncclGetErrorString", lacking);
  resolve(api_.get_unique_id, "ncclGetUniqueId", lacking);
  resolve(api_.init_rank, "ncclCommInitRank", lacking);
  resolve(api_.destroy, "ncclCommDestroy", lacking);
  resolve(api_.abort, "ncclCommAbort", lacking);
  resolve(api_.async_error, "ncclCommGetAsyncError", lacking);
  resolve(api_.all_reduce, "ncclAllReduce", lacking);
  resolve(api_.group_start, "ncclGroupStart", lacking);
  resolve(api_.group_end, "ncclGroupEnd", lacking);
  resolve(api_.send, "ncclSend", lacking);
  resolve(api_.receive, "ncclRecv", lacking);
  resolve(api_.all_to_all, "ncclAlltoAll", missing_);
  resolve(api_.last_error, "ncclGetLastError", missing_);
  resolve(api_.init_rank_config, "ncclCommInitRankConfig", missing_);
  resolve(api_.window_register, "ncclCommWindowRegister", missing_);
  resolve(api_.window_deregister, "ncclCommWindowDeregister", missing_);
  resolve(api_.dev_comm_create, "ncclDevCommCreate", missing_);
  resolve(api_.dev_comm_destroy, "ncclDevCommDestroy", missing_);
  if (!lacking.empty()) {
    throw EnvironmentError(fmt::format("{} is no usable NCCL: it lacks {}; name another one with --nccl-lib",
                                       path, join(lacking, ", ")));
  }
  check(api_.get_version(&version_), "ncclGetVersion");
  path_ = loaded_path(reinterpret_cast<const void*>(api_.get_version), path);
}

std::string NcclLibrary::version_text() const {
  return nccl_version_text(version_);
}

void NcclLibrary::check(ncclResult_t result, const std::string& call, ncclComm_t comm) const {
  if (result == ncclSuccess) return;
  std::string message = fmt::format("{}: {}", call, api_.error_string(result));
  if (api_.last_error != nullptr) {
    const std::string detail(trim(api_.last_error(comm)));
    if (!detail.empty()) message += fmt::format(" ({})", detail);
  }
  throw NcclError(message, result);
}

}  // namespace ringside
