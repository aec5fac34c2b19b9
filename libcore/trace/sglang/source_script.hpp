#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ringside {

// A Python module that is embedded in this binary.
struct EmbeddedModule {
  std::string_view name;  // "reader/syntax"
  std::string_view text;
};

std::span<const EmbeddedModule> embedded_python();

// The source reader of a server ("sglang", "vllm") as one script: its modules are made from their texts,
// nothing is read from disk.
std::string source_script(std::string_view server);

// The file that the live hook puts on PYTHONPATH as sitecustomize.py.
std::string_view live_hook();

}  // namespace ringside
