#include "strategy/registry.hpp"
#include "support/catch.hpp"
#include "support/single_rank_device.hpp"
#include "worker/measure_session.hpp"

using namespace ringside;
using namespace ringside::test;

namespace {

// A library that tells how it was last called: the first call runs at once, a captured one in a workload.
class Telling final : public PreparedCollective {
 public:
  explicit Telling(SingleRankDevice& device) : device_(device) {}
  void enqueue(const std::byte*, std::byte*) override {}
  bool reports() const override { return true; }
  std::optional<LibraryReport> report() override {
    return LibraryReport{device_.modes.empty() ? "eager" : "captured", ++reports_};
  }

 private:
  SingleRankDevice& device_;
  int reports_ = 0;
};

// Of GPUs by name, so that the host's strategies stay what they are.
class TellingStrategy final : public Strategy {
 public:
  std::string_view name() const override { return "telling"; }
  std::string_view family() const override { return "telling"; }
  std::string_view summary() const override { return "tells how it was called, for tests"; }
  DeviceKind device() const override { return DeviceKind::cuda; }
  Collective collective() const override { return Collective::alltoall; }
  Numerics numerics() const override { return {}; }
  std::optional<Finding> admit(const Case& params, const AdmissionContext&) const override {
    return not_admitted(params, "for tests");
  }
  void allocate(Arena&, const Case&) const override {}
  std::unique_ptr<PreparedCollective> prepare(RankDevice& device, const Case&) const override {
    return std::make_unique<Telling>(dynamic_cast<SingleRankDevice&>(device));
  }
  Estimate estimate(const Case&, const MachineProfile&) const override { return {1, "1"}; }
};

const RegisterStrategy<TellingStrategy> registered;

PrepareReply prepare(Mode mode) {
  SingleRankDevice device(64_MiB);
  const ProgressCells cells(1);
  MeasureSession session(device, cells[0]);
  Case params{.collective = Collective::alltoall,
              .strategy = "telling",
              .family = "telling",
              .device = DeviceKind::cuda,
              .mode = mode,
              .bytes = 2_KiB,
              .ranks = 1};
  session.handle(encode(Request(BeginGroup{params.bytes, params.bytes, 0})));
  PrepareReply reply;
  decode(session.handle(encode(Request(Prepare{0, params}))), reply);
  CHECK(device.modes == (mode == Mode::graph ? std::vector{Mode::graph} : std::vector<Mode>{}));
  return reply;
}

}  // namespace

TEST_CASE("a library is asked about the captured call of a graph, and about the first call else") {
  const PrepareReply graph = prepare(Mode::graph);
  CHECK(graph.ran == "captured");
  CHECK(graph.channels == 2);  // what the first call left was taken before
  const PrepareReply eager = prepare(Mode::eager);
  CHECK(eager.ran == "eager");
  CHECK(eager.channels == 1);
}
