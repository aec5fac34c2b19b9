#include "base/errors.hpp"

#include <cstring>

namespace ringside {

SystemError::SystemError(const std::string& what, int error_number)
    : EnvironmentError(what + ": " + std::strerror(error_number)) {}

}  // namespace ringside
