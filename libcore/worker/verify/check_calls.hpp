#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "device/rank_device.hpp"
#include "protocol/group_memory.hpp"
#include "protocol/verification.hpp"
#include "strategy/strategy.hpp"
#include "worker/verify/known_data.hpp"

namespace ringside {

// What calls read and write, and what they are fed from; all in this rank's arena.
struct CheckedBuffers {
  CaseBuffers own;
  const std::byte* known = nullptr;  // KnownData::block_bytes(), filled
  std::byte* work = nullptr;         // as large; its content is lost
};

// Makes the calls of the plan in a row, as the timed ones are made: each is fed with other data by a producer
// that writes late, and a consumer behind it hashes what it gave. At the end the input must be as it was fed,
// and the red zones untouched. Collective: every rank makes all calls whatever it finds.
CallReply check_calls(RankDevice& device, PreparedCollective& collective, const Case& params,
                      const CallPlan& plan, const KnownData& data, const CheckedBuffers& buffers);

// Fills the red zones around a case's buffers; done when it returns.
void paint_red_zones(RankDevice& device, const CaseBuffers& buffers);

// Looks at what timed repetitions leave, outside of their time: before each one the output is poisoned and
// the input gets other data; after it the output must be that of the last call, the input as it was fed, and
// behind the last one the red zones untouched.
class RepetitionCheck {
 public:
  RepetitionCheck(RankDevice& device, const KnownData& data, const CheckedBuffers& buffers, Bytes message)
      : device_(device), data_(data), buffers_(buffers), message_(message) {}

  // `repetitions` follow. `fixed`: the window that the last call of each reads from `input`, which stays.
  struct Fixed {
    std::size_t window = 0;
    const std::byte* input = nullptr;
  };
  void begin(std::size_t repetitions, std::optional<Fixed> fixed);

  // Around each repetition (Around).
  void before();
  void after();

  // The call with this number in the repetition is fed anew; the last one fed is what is looked for.
  void feed(std::size_t call);

  // What is wrong, once the repetitions are done: the first fault.
  std::optional<std::string> wrong();

 private:
  RankDevice& device_;
  const KnownData& data_;
  CheckedBuffers buffers_;
  Bytes message_;
  std::optional<Fixed> fixed_;
  std::size_t repetitions_ = 0;
  std::size_t first_ = 0;             // window of the repetition's first call
  std::size_t last_ = 0;              // of its last one
  std::vector<std::size_t> windows_;  // last_ of each repetition
};

}  // namespace ringside
