// A library that marks what it does with NVTX ranges as NCCL does: registered names, calls inside calls, and
// a range that is closed with a payload.
#if __has_include(<nvtx3/nvToolsExtPayload.h>)
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>

#include <ctime>

namespace {

nvtxDomainHandle_t domain() {
  static const nvtxDomainHandle_t handle = nvtxDomainCreateA("NCCL");
  return handle;
}

// What NVTX answers: 0 and more where somebody hears it.
int push(nvtxStringHandle_t name) {
  nvtxEventAttributes_t event = {};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  event.message.registered = name;
  return nvtxDomainRangePushEx(domain(), &event);
}

void sleep_ms(long ms) {
  const std::timespec time{0, ms * 1'000'000};
  ::nanosleep(&time, nullptr);
}

}  // namespace

extern "C" {

int all_reduce() {
  static const nvtxStringHandle_t name = nvtxDomainRegisterStringA(domain(), "ncclAllReduce");
  push(name);
  sleep_ms(2);
  return nvtxDomainRangePop(domain());
}

int init_rank() {
  static const nvtxStringHandle_t name = nvtxDomainRegisterStringA(domain(), "ncclCommInitRank");
  push(name);
  sleep_ms(5);
  all_reduce();
  const int rank = 0;
  const nvtxPayloadData_t payload = {NVTX_PAYLOAD_ENTRY_TYPE_INT, sizeof rank, &rank};
  return nvtxRangePopPayload(domain(), &payload, 1);
}

int begin_range() {
  static const nvtxStringHandle_t name = nvtxDomainRegisterStringA(domain(), "open");
  return push(name);
}

int end_range() {
  return nvtxDomainRangePop(domain());
}

// Of a domain that nobody asked for.
int elsewhere() {
  static const nvtxDomainHandle_t other = nvtxDomainCreateA("other");
  nvtxEventAttributes_t event = {};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = "elsewhere";
  nvtxDomainRangePushEx(other, &event);
  return nvtxDomainRangePop(other);
}
}
#endif
