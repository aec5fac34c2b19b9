#include <array>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/text.hpp"
#include "trace/core/framework.hpp"
#include "trace/sglang/sglang_framework.hpp"
#include "trace/vllm/vllm_framework.hpp"

namespace ringside {

namespace {

std::array<const Framework*, 2> all() {
  return {&sglang_framework(), &vllm_framework()};
}

}  // namespace

std::vector<std::string> framework_names() {
  std::vector<std::string> names;
  for (const Framework* known : all()) names.emplace_back(known->name());
  return names;
}

const Framework& framework(const std::string& name) {
  for (const Framework* known : all())
    if (known->name() == name) return *known;
  throw UsageError(fmt::format("unknown server '{}'{}; valid: {}", name,
                               did_you_mean(name, framework_names()), join(framework_names(), ", ")));
}

}  // namespace ringside
