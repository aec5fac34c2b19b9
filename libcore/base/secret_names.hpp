#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ringside {

// What text and words are looked through with for secrets; base/secrets.hpp is what others use.

inline constexpr std::size_t kLongestSecretName = 100;  // bytes

// Whether names_secret(), or the name is of plug-in arguments: they hold what a plug-in needs, credentials
// among it.
bool keeps_a_secret(std::string_view name);

// Whether a value says that there is no secret: nothing, a switch, a variable of a shell, a mask.
bool says_nothing(std::string_view value);

}  // namespace ringside
