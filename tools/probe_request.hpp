#pragma once

#include <optional>

#include "device_choice.hpp"
#include "machine/profile.hpp"
#include "measure/plan.hpp"
#include "probe_options.hpp"

namespace ringside {

// What a sweep is asked to do once defaults, scenario and flags are put together and this box has been looked
// at.
struct ProbeRequest {
  SweepRequest sweep;
  DeviceChoice device;
  std::optional<MachineProfile> machine;  // of the model device
  AdmissionContext context;
};

// Throws UsageError for what can't be asked, EnvironmentError for a device that this box doesn't have.
ProbeRequest resolve(const ProbeOptions& options);

// Throws EnvironmentError when the buffers of the plan's ranks don't fit into `available`.
void check_memory(const Plan& plan, Bytes available);

}  // namespace ringside
