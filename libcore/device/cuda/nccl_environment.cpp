#include "device/cuda/nccl_environment.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <deque>

#include "base/errors.hpp"

namespace ringside {
namespace {

// A variable, the name that its element has while the variable is absent, and our texts in it so far.
class Variable {
 public:
  explicit Variable(std::string name) : name_(std::move(name)), stand_in_("RINGSIDE_ABSENT_" + name_) {}

  void reserve() {
    if (std::getenv(name_.c_str()) == nullptr) ::setenv(stand_in_.c_str(), "", 1);
  }

  void set(const std::string& value) {
    char** element = find();
    if (element == nullptr) throw InternalError(name_ + " was not reserved in the environment");
    if (*element != current_) found_ = *element;  // at first, or put there by somebody else
    current_ = value.empty() ? found_ : keep(name_ + "=" + value);
    std::atomic_ref<char*>(*element).store(current_, std::memory_order_release);
  }

 private:
  // The element of this variable. A configuration file of NCCL's may have added the variable behind our back:
  // its own element is then the one that getenv finds, and it comes first here too.
  char** find() const {
    char** stand_in = nullptr;
    for (char** element = environ; *element != nullptr; ++element) {
      if (is(*element, name_)) return element;
      if (is(*element, stand_in_)) stand_in = element;
    }
    return stand_in;
  }

  static bool is(const char* text, const std::string& name) {
    return std::strncmp(text, name.c_str(), name.size()) == 0 && text[name.size()] == '=';
  }

  char* keep(std::string text) {
    texts_.push_back(std::move(text));
    return texts_.back().data();
  }

  std::string name_;
  std::string stand_in_;
  char* found_ = nullptr;          // what the element held without us
  char* current_ = nullptr;        // what we left in it
  std::deque<std::string> texts_;  // a deque: its elements never move
};

// The process has one environment, so there is one of these. It is never destroyed: `environ` points into it.
std::array<Variable, 2>& variables() {
  static auto& both = *new std::array<Variable, 2>{Variable("NCCL_ALGO"), Variable("NCCL_PROTO")};
  return both;
}

}  // namespace

void NcclEnvironment::reserve() {
  for (Variable& variable : variables()) variable.reserve();
}

void NcclEnvironment::choose(const std::string& algorithm, const std::string& protocol) {
  variables()[0].set(algorithm);
  variables()[1].set(protocol);
}

}  // namespace ringside
