#include "profile_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "protocol/requests.hpp"

namespace ringside {
namespace {

std::string quoted(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+,./:@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) {
    if (c == '\'') {
      text += "'\\''";
    } else {
      text += c;
    }
  }
  return text + "'";
}

}  // namespace

std::string profile_command(const Invocation& invocation, const Plan& plan) {
  const std::size_t captures = plan.groups.size();
  std::vector<std::string> words = {
      "nsys",
      "profile",
      plan.request.device == DeviceKind::cuda ? "--trace=cuda,nvtx" : "--trace=nvtx",
      "--cuda-graph-trace=node",
      "--capture-range=nvtx",
      fmt::format("--nvtx-capture={}@ringside", kProfilerRange),
      captures > 1 ? fmt::format("--capture-range-end=repeat:{}", captures) : "--capture-range-end=stop",
      "--force-overwrite=true",
      "--output=ringside-profile"};
  for (const std::string& word : invocation.argv) {
    if (word != "--plan") words.push_back(quoted(word));
  }
  return join(words, " ");
}

}  // namespace ringside
