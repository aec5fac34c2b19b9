#pragma once

#include <functional>
#include <memory>
#include <string>

#include "device/rank_device.hpp"
#include "protocol/progress_cells.hpp"

namespace ringside {

// What a rank does with the coordinator's requests.
class Session {
 public:
  virtual ~Session() = default;
  // The answer to one request, both JSON texts. An exception becomes an error message to the coordinator.
  virtual std::string handle(const std::string& request) = 0;
};

using SessionFactory = std::function<std::unique_ptr<Session>(RankDevice&, ProgressCell&)>;

}  // namespace ringside
