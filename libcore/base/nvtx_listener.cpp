#include "base/nvtx_listener.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string_view>

#if RINGSIDE_HAS_NVTX
#include <nvtx3/nvToolsExt.h>
#if __has_include(<nvtx3/nvToolsExtPayload.h>)
#include <nvtx3/nvToolsExtPayload.h>
#define RINGSIDE_HAS_NVTX_PAYLOAD 1
#endif
#endif

namespace ringside {

#if RINGSIDE_HAS_NVTX

namespace {

using Clock = std::chrono::steady_clock;

// An NVTX of its own is compiled into each library; all call the functions below.
class Ear {
 public:
  // A handle is the address of the one copy of the text.
  const std::string* keep(const char* text) {
    const std::lock_guard lock(mutex_);
    return &*texts_.emplace(text == nullptr ? "" : text).first;
  }

  // Where a library keeps the addresses of its tool's functions. It stays loaded from now on, whoever closes
  // it.
  void attach(NvtxFunctionPointer* push, NvtxFunctionPointer* pop) {
    if (Dl_info library{}; ::dladdr(push, &library) != 0 && library.dli_fname != nullptr)
      ::dlopen(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    const std::lock_guard lock(mutex_);
    slots_.push_back({push, pop});
    connect(slots_.back());
  }

  void begin(const std::string& domain) {
    const std::lock_guard lock(mutex_);
    domain_ = &*texts_.emplace(domain).first;
    heard_.clear();
    ++hearing_;
    for (const Slots& slots : slots_) connect(slots);
  }

  void end() {
    const std::lock_guard lock(mutex_);
    domain_ = nullptr;
    for (const Slots& slots : slots_) connect(slots);
  }

  std::vector<HeardRange> heard() {
    const std::lock_guard lock(mutex_);
    std::vector<HeardRange> closed = heard_;
    std::erase_if(closed, [](const HeardRange& range) { return range.count == 0; });
    return closed;
  }

  void open(const void* domain, std::string_view name);
  void close(const void* domain);

 private:
  struct Slots {
    NvtxFunctionPointer* push;
    NvtxFunctionPointer* pop;
  };

  void connect(const Slots& slots) const;

  std::mutex mutex_;
  std::set<std::string> texts_;
  std::vector<Slots> slots_;
  const void* domain_ = nullptr;  // none: nobody listens
  std::uint64_t hearing_ = 0;     // which listener
  std::vector<HeardRange> heard_;
};

Ear& ear() {
  static Ear* const kept = new Ear;  // libraries may call it until the very end
  return *kept;
}

struct OpenRange {
  std::uint64_t hearing;
  std::size_t index;  // in what is heard
  Clock::time_point since;
};

thread_local std::vector<OpenRange> open_ranges;

void Ear::open(const void* domain, std::string_view name) {
  const std::lock_guard lock(mutex_);
  if (domain_ == nullptr || domain != domain_) return;
  auto found = std::ranges::find(heard_, name, &HeardRange::name);
  if (found == heard_.end()) found = heard_.insert(found, {std::string(name)});
  open_ranges.push_back({hearing_, static_cast<std::size_t>(found - heard_.begin()), Clock::now()});
}

void Ear::close(const void* domain) {
  const auto now = Clock::now();
  const std::lock_guard lock(mutex_);
  if (domain_ == nullptr || domain != domain_ || open_ranges.empty()) return;
  const OpenRange range = open_ranges.back();
  open_ranges.pop_back();
  if (range.hearing != hearing_) return;  // it was opened for a listener before this one
  HeardRange& heard = heard_[range.index];
  ++heard.count;
  heard.time_ns += std::chrono::duration<double, std::nano>(now - range.since).count();
}

nvtxDomainHandle_t NVTX_API create_domain(const char* name) {
  return reinterpret_cast<nvtxDomainHandle_t>(const_cast<std::string*>(ear().keep(name)));
}

nvtxStringHandle_t NVTX_API register_string(nvtxDomainHandle_t, const char* text) {
  return reinterpret_cast<nvtxStringHandle_t>(const_cast<std::string*>(ear().keep(text)));
}

int NVTX_API push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
  std::string_view name;
  if (event->messageType == NVTX_MESSAGE_TYPE_REGISTERED && event->message.registered != nullptr)
    name = *reinterpret_cast<const std::string*>(event->message.registered);
  else if (event->messageType == NVTX_MESSAGE_TYPE_ASCII && event->message.ascii != nullptr)
    name = event->message.ascii;
  ear().open(domain, name);
  return 0;
}

int NVTX_API pop(nvtxDomainHandle_t domain) {
  ear().close(domain);
  return 0;
}

void Ear::connect(const Slots& slots) const {
  *slots.push = domain_ == nullptr ? nullptr : reinterpret_cast<NvtxFunctionPointer>(push);
  *slots.pop = domain_ == nullptr ? nullptr : reinterpret_cast<NvtxFunctionPointer>(pop);
}

#if RINGSIDE_HAS_NVTX_PAYLOAD
// NCCL closes the ranges of communicator inits so: what it learned stands in the payload.
int NVTX_API pop_payload(nvtxDomainHandle_t domain, const nvtxPayloadData_t*, std::size_t) {
  ear().close(domain);
  return 0;
}
#endif

}  // namespace

void hear_libraries() {
  // NVTX opens the library that the variable names, and an empty name is this program, which exports the two
  // functions below.
  ::setenv("NVTX_INJECTION64_PATH", "", 0);
}

NvtxListener::NvtxListener(const std::string& domain) {
  ear().begin(domain);
}

NvtxListener::~NvtxListener() {
  ear().end();
}

std::vector<HeardRange> NvtxListener::ranges() const {
  return ear().heard();
}

// What an NVTX calls once it has found its tool.
extern "C" __attribute__((visibility("default"), used)) int InitializeInjectionNvtx2(
    NvtxGetExportTableFunc_t get) {
  const auto* callbacks = static_cast<const NvtxExportTableCallbacks*>(get(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable table = nullptr;
  unsigned int size = 0;
  if (callbacks == nullptr || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size) ||
      size <= NVTX_CBID_CORE2_DomainCreateA)
    return 0;
  *table[NVTX_CBID_CORE2_DomainCreateA] = reinterpret_cast<NvtxFunctionPointer>(create_domain);
  *table[NVTX_CBID_CORE2_DomainRegisterStringA] = reinterpret_cast<NvtxFunctionPointer>(register_string);
  ear().attach(table[NVTX_CBID_CORE2_DomainRangePushEx], table[NVTX_CBID_CORE2_DomainRangePop]);
  return 1;
}

#if RINGSIDE_HAS_NVTX_PAYLOAD
extern "C" __attribute__((visibility("default"), used)) int InitializeInjectionNvtxExtension(
    nvtxExtModuleInfo_t* module) {
  if (module->moduleId != NVTX_EXT_PAYLOAD_MODULEID || module->segmentsCount == 0 ||
      module->segments[0].slotCount <= NVTX3EXT_CBID_nvtxRangePopPayload)
    return 0;
  module->segments[0].functionSlots[NVTX3EXT_CBID_nvtxRangePopPayload] =
      reinterpret_cast<std::intptr_t>(pop_payload);
  return 1;
}
#endif

#else

void hear_libraries() {}
NvtxListener::NvtxListener(const std::string&) {}
NvtxListener::~NvtxListener() {}
std::vector<HeardRange> NvtxListener::ranges() const {
  return {};
}

#endif

}  // namespace ringside
