#pragma once

#include <nccl.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/errors.hpp"

namespace ringside {

// Functions of the NCCL library, looked up when it is opened. The optional ones came with later versions and
// may be null; they are declared here, so that older headers will do.
struct NcclApi {
  decltype(&::ncclGetVersion) get_version;
  decltype(&::ncclGetErrorString) error_string;
  decltype(&::ncclGetUniqueId) get_unique_id;
  decltype(&::ncclCommInitRank) init_rank;
  decltype(&::ncclCommDestroy) destroy;
  decltype(&::ncclCommAbort) abort;
  decltype(&::ncclCommGetAsyncError) async_error;
  decltype(&::ncclAllReduce) all_reduce;
  decltype(&::ncclGroupStart) group_start;
  decltype(&::ncclGroupEnd) group_end;
  decltype(&::ncclSend) send;
  decltype(&::ncclRecv) receive;

  const char* (*last_error)(ncclComm_t);                                                // 2.13
  ncclResult_t (*init_rank_config)(ncclComm_t*, int, ncclUniqueId, int, void* config);  // 2.14: NcclConfig
  ncclResult_t (*all_to_all)(const void*, void*, std::size_t, ncclDataType_t, ncclComm_t,
                             cudaStream_t);                                                   // 2.28
  ncclResult_t (*window_register)(ncclComm_t, void*, std::size_t, void** window, int flags);  // 2.27
  ncclResult_t (*window_deregister)(ncclComm_t, void* window);                                // 2.27
  ncclResult_t (*dev_comm_create)(ncclComm_t, const void* requirements, void* dev_comm);      // 2.28
  ncclResult_t (*dev_comm_destroy)(ncclComm_t, const void* dev_comm);                         // 2.28
};

// A call of NCCL failed. The message names the call, NCCL's text for the code, and its last error line.
class NcclError : public Error {
 public:
  NcclError(const std::string& message, ncclResult_t result)
      : Error(ExitCode::environment, message), result_(result) {}
  ncclResult_t result() const noexcept { return result_; }

 private:
  ncclResult_t result_;
};

// An NCCL library opened at run time. It stays loaded until the process ends: NCCL leaves threads behind.
class NcclLibrary {
 public:
  // `path` as dlopen takes it. Throws EnvironmentError with the loader's reason, or naming the functions that
  // it lacks.
  explicit NcclLibrary(const std::string& path);

  const NcclApi& api() const { return api_; }
  const std::string& path() const { return path_; }                     // of the file that was really loaded
  int version() const { return version_; }                              // as NCCL codes it: 22809 is 2.28.9
  std::string version_text() const;                                     // "2.28.9"
  const std::vector<std::string>& missing() const { return missing_; }  // optional functions that it lacks

  // Throws NcclError unless `result` is success; `call` as one reads it.
  void check(ncclResult_t result, const std::string& call, ncclComm_t comm = nullptr) const;

 private:
  NcclApi api_{};
  std::string path_;
  int version_ = 0;
  std::vector<std::string> missing_;
};

}  // namespace ringside
