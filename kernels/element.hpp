#pragma once

namespace ringside::kernels {

enum class Element { bf16, fp16, fp32 };

}  // namespace ringside::kernels
