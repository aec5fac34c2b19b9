#include "base/nvtx.hpp"

#if RINGSIDE_HAS_NVTX
#include <nvtx3/nvToolsExt.h>
#include <unistd.h>
#endif

namespace ringside {

#if RINGSIDE_HAS_NVTX

namespace {

nvtxDomainHandle_t domain() {
  static const nvtxDomainHandle_t handle = nvtxDomainCreateA("ringside");
  return handle;
}

}  // namespace

bool has_nvtx() {
  return true;
}

NvtxName::NvtxName(const std::string& text) : handle_(nvtxDomainRegisterStringA(domain(), text.c_str())) {}

void name_thread_for_nvtx(const std::string& name) {
  nvtxNameOsThreadA(static_cast<std::uint32_t>(::gettid()), name.c_str());
}

NvtxRange::NvtxRange(const NvtxName& name, std::int64_t payload) {
  nvtxEventAttributes_t attributes = {};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.payloadType = NVTX_PAYLOAD_TYPE_INT64;
  attributes.payload.llValue = payload;
  attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  attributes.message.registered = static_cast<nvtxStringHandle_t>(name.handle());
  nvtxDomainRangePushEx(domain(), &attributes);
}

NvtxRange::~NvtxRange() {
  nvtxDomainRangePop(domain());
}

#else

bool has_nvtx() {
  return false;
}

NvtxName::NvtxName(const std::string&) {}
void name_thread_for_nvtx(const std::string&) {}
NvtxRange::NvtxRange(const NvtxName&, std::int64_t) {}
NvtxRange::~NvtxRange() {}

#endif

}  // namespace ringside
