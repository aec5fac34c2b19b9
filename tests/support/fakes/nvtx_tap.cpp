// An NVTX injection library: NVTX_INJECTION64_PATH makes the real binary load it. Each call becomes a line of
// the file that NVTX_TAP_FILE names (%p: the process): "thread NAME", "domain NAME", "string N TEXT", "push N
// PAYLOAD", "pop".
#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

std::FILE* tap() {
  static std::FILE* const file = [] {
    std::string name = std::getenv("NVTX_TAP_FILE");
    if (const std::size_t at = name.find("%p"); at != std::string::npos)
      name.replace(at, 2, std::to_string(::getpid()));
    return std::fopen(name.c_str(), "w");
  }();
  return file;
}

void NVTX_API name_thread(std::uint32_t, const char* name) {
  std::fprintf(tap(), "thread %s\n", name);
}

nvtxDomainHandle_t NVTX_API create_domain(const char* name) {
  std::fprintf(tap(), "domain %s\n", name);
  return reinterpret_cast<nvtxDomainHandle_t>(std::intptr_t{1});
}

nvtxStringHandle_t NVTX_API register_string(nvtxDomainHandle_t, const char* text) {
  static std::intptr_t count = 0;
  std::fprintf(tap(), "string %ld %s\n", static_cast<long>(++count), text);
  return reinterpret_cast<nvtxStringHandle_t>(count);
}

int NVTX_API push(nvtxDomainHandle_t, const nvtxEventAttributes_t* event) {
  const bool registered = event->messageType == NVTX_MESSAGE_TYPE_REGISTERED;
  const auto name = registered ? reinterpret_cast<std::intptr_t>(event->message.registered) : 0;
  std::fprintf(tap(), "push %ld %lld\n", static_cast<long>(name),
               static_cast<long long>(event->payload.llValue));
  return 0;
}

int NVTX_API pop(nvtxDomainHandle_t) {
  std::fprintf(tap(), "pop\n");
  std::fflush(tap());
  return 0;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get) {
  const auto* callbacks = static_cast<const NvtxExportTableCallbacks*>(get(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable core = nullptr;
  NvtxFunctionTable table = nullptr;
  unsigned int size = 0;
  if (!callbacks || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size) ||
      !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &core, &size))
    return 0;
  *core[NVTX_CBID_CORE_NameOsThreadA] = reinterpret_cast<NvtxFunctionPointer>(name_thread);
  *table[NVTX_CBID_CORE2_DomainCreateA] = reinterpret_cast<NvtxFunctionPointer>(create_domain);
  *table[NVTX_CBID_CORE2_DomainRegisterStringA] = reinterpret_cast<NvtxFunctionPointer>(register_string);
  *table[NVTX_CBID_CORE2_DomainRangePushEx] = reinterpret_cast<NvtxFunctionPointer>(push);
  *table[NVTX_CBID_CORE2_DomainRangePop] = reinterpret_cast<NvtxFunctionPointer>(pop);
  return 1;
}

#endif
