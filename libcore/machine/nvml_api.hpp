#pragma once

// The part of NVML's C interface that ringside uses, declared here because its header is not on every box.
// Names and layouts are NVML's; they have been stable since they got the version suffix they carry.
namespace ringside::nvml {

using Device = struct DeviceOpaque*;

enum Return : int { kSuccess = 0 };
enum ClockType : int { kSmClock = 1, kMemoryClock = 2 };
enum RemoteDevice : int { kRemoteGpu = 0, kRemoteSwitch = 2 };  // of an NVLink

struct ProcessInfo {  // nvmlProcessInfo_t of nvmlDeviceGetComputeRunningProcesses_v3
  unsigned pid;
  unsigned long long used_memory;
  unsigned gpu_instance;
  unsigned compute_instance;
};

struct Memory {  // nvmlMemory_t; bytes
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

struct Bar1Memory {  // nvmlBAR1Memory_t; bytes
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

struct FabricInfo {  // nvmlGpuFabricInfo_t
  unsigned char cluster_uuid[16];
  int status;
  unsigned clique;
  unsigned char state;  // 0 not supported, 1 not started, 2 in progress, 3 completed
};

struct FieldValue {  // nvmlFieldValue_t
  unsigned field;
  unsigned scope;
  long long timestamp;
  long long latency_us;
  int value_type;
  int status;
  unsigned long long value;
};

inline constexpr unsigned kRecoveryAction = 230;  // NVML_FI_DEV_GET_GPU_RECOVERY_ACTION
enum EccType : int { kUncorrected = 1 };
enum EccCounter : int { kSinceBoot = 0 };
enum PeerQuestion : int { kPeerRead = 0, kPeerWrite = 1 };

// Functions, looked up when the library is opened. All but the first group may be null in an older driver.
struct Api {
  Return (*init)();
  Return (*shutdown)();
  Return (*driver_version)(char*, unsigned);
  Return (*handle_by_uuid)(const char*, Device*);
  Return (*clock)(Device, ClockType, unsigned* mhz);

  Return (*max_clock)(Device, ClockType, unsigned* mhz);
  Return (*clock_reasons)(Device, unsigned long long*);
  Return (*power_limit)(Device, unsigned* milliwatts);
  Return (*mig_mode)(Device, unsigned* current, unsigned* pending);
  Return (*ecc_mode)(Device, int* current, int* pending);
  Return (*pcie_max_generation)(Device, unsigned*);  // the current one is lower while a GPU idles
  Return (*pcie_width)(Device, unsigned*);
  Return (*nvlink_state)(Device, unsigned link, int* enabled);
  Return (*nvlink_version)(Device, unsigned link, unsigned*);
  Return (*nvlink_remote_type)(Device, unsigned link, int*);
  Return (*compute_processes)(Device, unsigned* count, ProcessInfo*);
  Return (*memory)(Device, Memory*);
  Return (*bar1)(Device, Bar1Memory*);
  Return (*default_power_limit)(Device, unsigned* milliwatts);
  Return (*persistence)(Device, int*);
  Return (*remapped_rows)(Device, unsigned* correctable, unsigned* uncorrectable, unsigned* pending,
                          unsigned* failed);
  Return (*ecc_errors)(Device, EccType, EccCounter, unsigned long long*);
  Return (*peer_status)(Device, Device, PeerQuestion, int* status);  // 0: OK
  Return (*fabric)(Device, FabricInfo*);
  Return (*field_values)(Device, int count, FieldValue*);
};

}  // namespace ringside::nvml
