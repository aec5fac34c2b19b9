#include <fmt/core.h>

#include <string_view>

#include "base/build_info.hpp"
#include "base/exit_code.hpp"

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--version") {
    fmt::print("ringside {} ({})\n", ringside::build_info().version, ringside::build_info().commit);
    return static_cast<int>(ringside::ExitCode::ok);
  }
  fmt::print(stderr, "usage: ringside --version\n");
  return static_cast<int>(ringside::ExitCode::usage);
}
