// The command-line reader: any script gives a launch or a UsageError.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/errors.hpp"
#include "served/server_config.hpp"
#include "trace/sglang/launch_command.hpp"
#include "trace/sglang/launch_scenario.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ringside;
  static const Pipeline pipeline = find_pipeline("0.5.9");
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (text.find("--config") != std::string::npos) return 0;  // it would read a file
  try {
    read_launch(find_server_command(read_shell_script(text), "fuzz"), pipeline);
  } catch (const UsageError&) {
  }
  try {
    read_launch(find_server_command(read_shell_script("sglang serve " + text), "fuzz"), pipeline);
  } catch (const UsageError&) {
  }
  try {
    Withheld withheld;
    parse_server_config(text, "fuzz", withheld);
  } catch (const UsageError&) {
  }
  return 0;
}
