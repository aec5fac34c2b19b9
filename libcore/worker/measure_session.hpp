#pragma once

#include <map>
#include <memory>
#include <optional>

#include "base/nvtx.hpp"
#include "protocol/group_memory.hpp"
#include "protocol/requests.hpp"
#include "strategy/registry.hpp"
#include "worker/session.hpp"
#include "worker/turn_watch.hpp"
#include "worker/verify/check_calls.hpp"
#include "worker/verify/known_data.hpp"
#include "worker/verify/verify_case.hpp"

namespace ringside {

// One rank's side of a sweep: holds the buffers and prepared collectives of one group of cases and does what
// the coordinator asks (requests and replies: protocol/requests.hpp).
class MeasureSession final : public Session {
 public:
  MeasureSession(RankDevice& device, ProgressCell& cell)
      : device_(device), cell_(cell), watch_(device.kind() == DeviceKind::host) {}

  std::string handle(const std::string& request) override;

 private:
  // One case of the group: its own buffers, its own prepared collective.
  struct Entry {
    Case params;
    const Strategy* strategy = nullptr;
    CaseBuffers buffers;
    std::unique_ptr<PreparedCollective> collective;
    std::unique_ptr<Workload> workload;
    int workload_calls = 0;
    Timed workload_timed = Timed::calls;
    std::unique_ptr<RepetitionCheck> check;
  };

  void begin_group(const BeginGroup& group);
  void end_group();
  PrepareReply prepare(int slot, const Case& params);
  void make_known_data(const Case& params);
  std::optional<LibraryReport> library_report(Entry& entry);
  VerifyReply verify(int slot, const VerifyPlan& plan);
  CallReply check_calls(int slot, const CallPlan& plan);
  SampleReply sample(const Sample& request);
  std::unique_ptr<Workload> timed_workload(Entry& candidate, int calls, Timed timed);
  CheckedBuffers checked_buffers(const Entry& candidate) const;
  std::vector<double> measure_skew(const MeasureSkew& request);  // ns per repetition
  std::vector<double> sample_step(const SampleStep& request);    // ns per repetition
  void set_profiler_range(bool open);
  Entry& entry(int slot);

  RankDevice& device_;
  ProgressCell& cell_;
  std::optional<Bytes> base_;  // the arena's top before the group; absent between groups
  std::map<int, Entry> entries_;
  GroupBuffers shared_;             // by the group's cases
  std::uint64_t seed_ = 0;          // of `known_`
  std::optional<KnownData> known_;  // of the group's cases; made for the first one
  ProvenOutputs proven_;
  NvtxNames names_;
  std::optional<NvtxRange> profiler_range_;  // of rank 0 alone
  TurnWatch watch_;
};

}  // namespace ringside
