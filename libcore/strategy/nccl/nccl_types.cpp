#include "strategy/nccl/nccl_types.hpp"

#include "base/errors.hpp"

namespace ringside {

ncclDataType_t nccl_type(DType dtype) {
  switch (dtype) {
    case DType::bf16:
      return ncclBfloat16;
    case DType::fp16:
      return ncclFloat16;
    case DType::fp32:
      return ncclFloat32;
  }
  throw InternalError("a dtype that NCCL was not told of");
}

}  // namespace ringside
