#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <string>

#include "base/errors.hpp"

namespace ringside {

// A CUDA call failed. The message names the call, CUDA's own text and its code.
class CudaError : public Error {
 public:
  CudaError(const std::string& call, const std::string& text, const std::string& code_name,
            bool context_lost);

  // True when the error sticks to the CUDA context (an illegal access, a launch failure): every later call of
  // this process fails with it.
  bool ends_process() const noexcept override { return context_lost_; }

 private:
  bool context_lost_;
};

// Throws CudaError unless `status` is success. An error that does not stick is cleared, so that the next
// launch is not blamed for it. `call` is the failing call as one reads it: "cudaMalloc of 2.0 MiB".
void check_cuda(cudaError_t status, const std::string& call);
void check_cuda(CUresult status, const std::string& call);

// The error of the launch just made, if any (a bad configuration; execution errors come at the next
// synchronisation).
void check_launch(const char* kernel);

}  // namespace ringside
