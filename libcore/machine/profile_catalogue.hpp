#pragma once

#include <string>
#include <vector>

#include "machine/profile.hpp"
#include "scenario/catalogue.hpp"

namespace ringside {

// What the model device computes with when no machine is named: a box of the kind that made people ask.
inline constexpr const char* kDefaultMachine = "rtx-pro-6000-pcie-x8";

// Reads a machine profile (the keys are explained in scenarios/machines/h200x2-nvlink.toml), after "--set"
// overrides. Throws UsageError with the place.
MachineProfile read_machine_profile(const ScenarioText& scenario,
                                    const std::vector<std::string>& overrides = {});

// The profile with this name in the binary, or in this file. Throws UsageError that names the nearest.
MachineProfile find_machine_profile(const std::string& name_or_file,
                                    const std::vector<std::string>& overrides = {});

// All profiles in the binary, by name.
std::vector<MachineProfile> list_machine_profiles();

}  // namespace ringside
