#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "served/logged_arguments.hpp"

namespace ringside {

// What a line of a log does to the arguments that are known.
enum class ArgumentLine {
  none,   // it says nothing of them
  start,  // a server starts: what was known of another one is gone
  more,   // something that the server found out itself: its pool, its graphs
};

// Texts of which every such line holds one.
std::vector<std::string> argument_texts();

// Takes what a line says of a server's arguments into `arguments`: `server_args=ServerArgs(...)` of SGLang;
// `vLLM API server version`, `non-default args: {...}`, `args: Namespace(...)` and `Initializing a V1 LLM
// engine (v0.10.0) with config: ...` of vLLM, which belong together; lines of the KV pool and of CUDA graphs.
ArgumentLine take_arguments(std::string_view line, LoggedArguments& arguments);

}  // namespace ringside
