#pragma once

#include "base/errors.hpp"
#include "kernels/element.hpp"
#include "model/case.hpp"

namespace ringside {

// A dtype as the kernels call it.
inline kernels::Element kernel_element(DType dtype) {
  switch (dtype) {
    case DType::bf16:
      return kernels::Element::bf16;
    case DType::fp16:
      return kernels::Element::fp16;
    case DType::fp32:
      return kernels::Element::fp32;
  }
  throw InternalError("a dtype that the kernels were not told of");
}

}  // namespace ringside
