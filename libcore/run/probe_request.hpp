#pragma once

#include <optional>
#include <vector>

#include "base/clock.hpp"
#include "base/secrets.hpp"
#include "machine/profile.hpp"
#include "model/document.hpp"
#include "run/device_choice.hpp"
#include "run/probe_options.hpp"
#include "sweep/plan.hpp"

namespace ringside {

// What a sweep is asked to do once defaults, scenario and flags are put together and this box has been looked
// at.
struct ProbeRequest {
  SweepRequest sweep;
  DeviceChoice device;
  std::optional<MachineProfile> machine;  // of the model device
  AdmissionContext context;
  std::vector<InputText> inputs;     // the texts that were read for it
  Withheld withheld;                 // secrets that they held
  std::optional<TimePoint> begun{};  // of the command, which its budget is for
};

// Throws UsageError for what can't be asked, EnvironmentError for a device that this box doesn't have.
ProbeRequest resolve(const ProbeOptions& options);

// The cases of a Document's request (collective, strategies, sizes, dtypes, modes, load, device, ranks) on
// this box as it is now. A Document is data that anybody may have written: everything else (time, rounds,
// libraries, GPUs) is of `flags`, the command line, or by default. Throws as resolve() does, and UsageError
// for a request that measures nothing.
ProbeRequest resolve_again(const SweepRequest& recorded, const RequestOverrides& flags);

// Keeps in the Document what is asked: the plan's request and the texts that were read for it.
void record_request(const Plan& plan, const ProbeRequest& request, Document& document);

}  // namespace ringside
