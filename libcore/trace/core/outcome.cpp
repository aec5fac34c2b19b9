#include "trace/core/outcome.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace ringside {

namespace {

// Files and functions that hold nothing but checks of what was asked for.
constexpr std::array<std::string_view, 3> kFiles = {"server_args.py", "engine/arg_utils.py",
                                                    "entrypoints/openai/cli_args.py"};
constexpr std::array<std::string_view, 2> kFolders = {"srt/arg_groups/", "vllm/config/"};
constexpr std::array<std::string_view, 2> kFunctions = {"check_quantized_moe_compatibility",
                                                        "check_server_args"};

bool of_folder(std::string_view path, std::string_view folder) {
  return path.find(folder) != std::string_view::npos || path.starts_with(folder.substr(folder.find('/') + 1));
}

bool is_checking(const TraceFrame& frame) {
  const std::string_view path = frame.file, function = frame.function;
  return std::any_of(kFiles.begin(), kFiles.end(), [&](auto file) { return path.ends_with(file); }) ||
         std::any_of(kFolders.begin(), kFolders.end(),
                     [&](auto folder) { return of_folder(path, folder); }) ||
         std::any_of(kFunctions.begin(), kFunctions.end(),
                     [&](auto name) { return function.ends_with(name); });
}

}  // namespace

std::string outcome_named(const std::string& name) {
  return name == kPassOldName ? kNoFailureFound : name;
}

std::vector<std::string> outcome_names(const std::vector<Signature>& signatures) {
  std::vector<std::string> names = {kNoFailureFound, kRefused, kUnknown, kUnknownDeath};
  for (const Signature& signature : signatures) names.push_back(signature.id);
  return names;
}

bool is_refusal(const TraceDeath& death) {
  // pydantic raises it where a value of a configuration is not taken, and nothing else does.
  if (death.error.ends_with("ValidationError")) return true;
  return !death.frames.empty() && is_checking(death.frames.back());
}

std::string outcome_of(const TraceDeath& death, const Signature* signature) {
  if (signature) return signature->id;
  return is_refusal(death) ? kRefused : kUnknownDeath;
}

}  // namespace ringside
