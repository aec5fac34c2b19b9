// What ringside_two_groups takes for the memory that is available: RINGSIDE_TEST_AVAILABLE, in bytes, where
// it is set. The linker puts it in the place of available_memory() (--wrap).
#include <cstdlib>
#include <string>

#include "machine/resources.hpp"

extern "C" {

ringside::Bytes __real__ZN8ringside16available_memoryERKNS_9RootFilesE(const ringside::RootFiles& files);

ringside::Bytes __wrap__ZN8ringside16available_memoryERKNS_9RootFilesE(const ringside::RootFiles& files) {
  const char* const text = std::getenv("RINGSIDE_TEST_AVAILABLE");
  if (text == nullptr) return __real__ZN8ringside16available_memoryERKNS_9RootFilesE(files);
  return {std::stoull(text)};
}

}  // extern "C"
