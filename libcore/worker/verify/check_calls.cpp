#include "worker/verify/check_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/hash_bytes.hpp"
#include "worker/verify/check.hpp"

namespace ringside {
namespace {

constexpr std::byte kRed{0xA5};

std::uint64_t red_hash() {
  static const std::uint64_t hash = hash_bytes(std::vector<std::byte>(kRedZone, kRed));
  return hash;
}

void enqueue_red_zones(RankDevice& device, const CaseBuffers& buffers, std::size_t slot) {
  for (const std::byte* zone : buffers.red_zones) device.enqueue_digest(zone, kRedZone, slot++);
}

// `hashes`: of the red zones, in their order.
std::optional<std::string> check_red_zones(int rank, std::span<const std::uint64_t> hashes) {
  constexpr std::array<const char*, kRedZones> kPlaces = {"before the input", "behind the input",
                                                          "before the output", "behind the output"};
  for (std::size_t zone = 0; zone < kPlaces.size(); ++zone) {
    if (hashes[zone] != red_hash())
      return fmt::format("rank {}: memory {} was overwritten", rank, kPlaces[zone]);
  }
  return std::nullopt;
}

class CallCheck {
 public:
  CallCheck(RankDevice& device, PreparedCollective& collective, const Case& params, const CallPlan& plan,
            const KnownData& data, const CheckedBuffers& buffers)
      : device_(device),
        collective_(collective),
        params_(params),
        plan_(plan),
        data_(data),
        buffers_(buffers),
        calls_(static_cast<std::size_t>(std::clamp<int>(plan.calls_per_replay, 1, RankDevice::kMostDigests))),
        // Not all windows are captured, so that replays differ by where they begin.
        shifts_(data.windows() >= 2 * calls_ ? data.windows() - calls_ : data.windows() / 4),
        spread_(data.windows() - shifts_) {}

  CallReply check() {
    make_unchecked();
    const auto workload =
        device_.make_workload(params_.mode,
                              [this] {
                                for (std::size_t call = 0; call < calls_; ++call) {
                                  const std::byte* source = buffers_.work + KnownData::offset(call % spread_);
                                  if (plan_.plain_producer)
                                    device_.enqueue_copy(buffers_.own.input, source, params_.bytes.count);
                                  else
                                    device_.enqueue_feed(buffers_.own.input, source, params_.bytes.count);
                                  collective_.enqueue(buffers_.own.input, buffers_.own.output);
                                  device_.enqueue_digest(buffers_.own.output, data_.output_bytes(), call);
                                }
                              },
                              {.before = [this] { shift(); }, .after = {}});
    static_cast<void>(device_.take_digests(calls_));  // a graph was replayed to warm up
    while (reply_.calls < plan_.calls) {
      std::array<double, 1> time_ns;
      workload->repeat(time_ns);
      look();
      ++replay_;
    }
    look_around();
    return std::move(reply_);
  }

 private:
  void make_unchecked() {
    if (plan_.unchecked == 0) return;
    const auto workload = device_.make_workload(params_.mode, [this] {
      for (std::size_t call = 0; call < calls_; ++call)
        collective_.enqueue(buffers_.own.input, buffers_.own.output);
    });
    std::vector<double> times((plan_.unchecked + calls_ - 1) / calls_);
    workload->repeat(times);
  }

  // Replays begin at different windows, far apart where that leads through all of them.
  std::size_t base(std::size_t replay) const {
    const std::size_t places = shifts_ + 1;
    return replay * (places % 7 == 0 ? 1 : 7) % places;
  }
  std::size_t base() const { return base(replay_); }

  // What the captured calls read from, so that each replay reads other data.
  void shift() {
    const std::size_t bytes = params_.bytes.count + KnownData::offset(spread_ - 1);
    device_.enqueue_copy(buffers_.work, buffers_.known + KnownData::offset(base()), bytes);
  }

  void look() {
    const std::vector<std::uint64_t> hashes = device_.take_digests(calls_);
    for (std::size_t call = 0; call < calls_; ++call) {
      const std::size_t window = base() + call % spread_;
      if (!reply_.wrong && hashes[call] != data_.output_hash(window)) {
        reply_.wrong = fmt::format("call {} in a row, rank {}: the output is wrong: {}",
                                   plan_.calls_before + reply_.calls + call, device_.rank(),
                                   data_.describe(window, hashes[call]));
      }
    }
    reply_.calls += calls_;
  }

  void look_around() {
    device_.run([this] {
      enqueue_red_zones(device_, buffers_.own, 0);
      device_.enqueue_digest(buffers_.own.input, params_.bytes.count, kRedZones);
    });
    const std::vector<std::uint64_t> hashes = device_.take_digests(kRedZones + 1);
    if (reply_.wrong) return;
    reply_.wrong = check_red_zones(device_.rank(), hashes);
    if (reply_.wrong || plan_.calls <= 0) return;
    const std::size_t last = base(replay_ - 1) + (calls_ - 1) % spread_;
    if (hashes.back() != data_.input_hash(last))
      reply_.wrong = fmt::format("rank {}: its input was overwritten", device_.rank());
  }

  RankDevice& device_;
  PreparedCollective& collective_;
  const Case& params_;
  const CallPlan& plan_;
  const KnownData& data_;
  const CheckedBuffers& buffers_;
  const std::size_t calls_;   // of a replay
  const std::size_t shifts_;  // places from which replays begin, beside the first one
  const std::size_t spread_;  // windows of a replay
  std::size_t replay_ = 0;
  CallReply reply_;
};

}  // namespace

CallReply check_calls(RankDevice& device, PreparedCollective& collective, const Case& params,
                      const CallPlan& plan, const KnownData& data, const CheckedBuffers& buffers) {
  return CallCheck(device, collective, params, plan, data, buffers).check();
}

void paint_red_zones(RankDevice& device, const CaseBuffers& buffers) {
  for (std::byte* zone : buffers.red_zones) device.fill(zone, kRed, kRedZone);
}

void RepetitionCheck::begin(std::size_t repetitions, std::optional<Fixed> fixed) {
  repetitions_ = repetitions;
  fixed_ = fixed;
  windows_.clear();
}

void RepetitionCheck::before() {
  device_.enqueue_fill(buffers_.own.output, kPoison, data_.output_bytes());
  if (fixed_) {
    last_ = fixed_->window;
    return;
  }
  first_ = (last_ + 1) % data_.windows();
  feed(0);
}

void RepetitionCheck::feed(std::size_t call) {
  last_ = (first_ + call) % data_.windows();
  device_.enqueue_feed(buffers_.own.input, buffers_.known + KnownData::offset(last_), message_.count);
}

void RepetitionCheck::after() {
  const std::size_t slot = 2 * windows_.size();
  device_.enqueue_digest(buffers_.own.output, data_.output_bytes(), slot);
  device_.enqueue_digest(fixed_ ? fixed_->input : buffers_.own.input, message_.count, slot + 1);
  windows_.push_back(last_);
  if (windows_.size() == repetitions_) enqueue_red_zones(device_, buffers_.own, slot + 2);
}

std::optional<std::string> RepetitionCheck::wrong() {
  const std::vector<std::uint64_t> hashes = device_.take_digests(2 * windows_.size() + kRedZones);
  for (std::size_t i = 0; i < windows_.size(); ++i) {
    if (hashes[2 * i] != data_.output_hash(windows_[i]))
      return fmt::format("after a timed repetition, rank {}: the output of its last call is wrong: {}",
                         device_.rank(), data_.describe(windows_[i], hashes[2 * i]));
    if (hashes[2 * i + 1] != data_.input_hash(windows_[i]))
      return fmt::format("after a timed repetition, rank {}: its input was overwritten", device_.rank());
  }
  return check_red_zones(device_.rank(), std::span(hashes).last(kRedZones));
}

}  // namespace ringside
