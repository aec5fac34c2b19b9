#pragma once

#include <stdexcept>
#include <string>

#include "base/exit_code.hpp"

namespace ringside {

// What ends an operation. One type per origin; the message is one line that names the call, the rank where
// there is one, and what to do. main() alone turns it into an exit status.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ExitCode code() const noexcept { return code_; }

  // The process that met it can't go on: a rank that did must be replaced by a fresh one.
  virtual bool ends_process() const noexcept { return false; }

 private:
  ExitCode code_;
};

// Wrong arguments or a bad scenario: the reader can mend it.
struct UsageError : Error {
  explicit UsageError(const std::string& message) : Error(ExitCode::usage, message) {}
};

// This machine can't do it: no GPU, no memory, a full disk, a missing library.
struct EnvironmentError : Error {
  explicit EnvironmentError(const std::string& message) : Error(ExitCode::environment, message) {}
};

// What was asked for does not exist on this machine, which only showed when it was tried: a case that ends so is skipped.
struct UnavailableError : EnvironmentError {
  explicit UnavailableError(const std::string& message) : EnvironmentError(message) {}
};

// A system call failed: the message carries its name, the object and strerror of `error_number`.
struct SystemError : EnvironmentError {
  SystemError(const std::string& what, int error_number);
};

// A result that is not what it must be.
struct DataError : Error {
  explicit DataError(const std::string& message) : Error(ExitCode::wrong_data, message) {}
};

// A deadline passed or a rank was lost.
struct TimeoutError : Error {
  explicit TimeoutError(const std::string& message) : Error(ExitCode::hang, message) {}
};

// A bug in ringside.
struct InternalError : Error {
  explicit InternalError(const std::string& message) : Error(ExitCode::internal, message) {}
};

}  // namespace ringside
