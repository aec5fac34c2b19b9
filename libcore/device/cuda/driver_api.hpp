#pragma once

#include <cuda.h>

#include <string>

namespace ringside {

// The driver functions that have no twin in the CUDA runtime. They are looked up when first used, so that the
// binary does not link libcuda and starts on a machine without a driver.
struct DriverApi {
  decltype(&::cuDeviceGet) device_get;
  decltype(&::cuDeviceGetAttribute) device_attribute;
  decltype(&::cuMemGetAllocationGranularity) granularity;
  decltype(&::cuMemCreate) create;
  decltype(&::cuMemRelease) release;
  decltype(&::cuMemAddressReserve) reserve;
  decltype(&::cuMemAddressFree) free_range;
  decltype(&::cuMemMap) map;
  decltype(&::cuMemUnmap) unmap;
  decltype(&::cuMemSetAccess) set_access;
  decltype(&::cuMemExportToShareableHandle) export_handle;
  decltype(&::cuMemImportFromShareableHandle) import_handle;
};

// Throws EnvironmentError that names the first function the driver lacks.
const DriverApi& driver_api();

// An attribute that the runtime does not know (multicast, shareable handles); 0 when the driver does not know
// it either.
int driver_attribute(int device, CUdevice_attribute attribute);

std::string driver_error_text(CUresult status);
std::string driver_error_name(CUresult status);

}  // namespace ringside
