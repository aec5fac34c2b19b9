#include "run/spec_workload.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "spec/weights.hpp"

namespace ringside {
namespace {

class WorkloadBuilder {
 public:
  WorkloadBuilder(const SpecOptions& options, const ServerFacts& server, Inquiry& inquiry)
      : options_(options), server_(server), inquiry_(inquiry) {}

  void build() {
    const LoggedArguments& arguments = server_.arguments;
    ServerWorkload& workload = inquiry().workload;
    const ParallelLayout& parallel = scenario().parallel;
    workload.layout = serving_layout(parallel, asked_layout(parallel));
    workload.layout.pp = arguments.pipeline_parallel.value_or(1);
    workload.gpu = server_.place.gpu;
    workload.server = software();
    if (server_.place.assumed && facts())
      inquiry().assumptions.push_back(
          fmt::format("GPUs not known, {} taken (--gpu)",
                      server_.place.gpu.empty() ? *server_.place.machine : server_.place.gpu));
    if (!inquiry().layout_known && facts())
      inquiry().assumptions.push_back(fmt::format("layout not known, TP{} taken (--tp)", parallel.tp));
    if (!inquiry().drafts_known && facts())
      inquiry().assumptions.push_back(
          fmt::format("drafts not known, {} taken (--drafts)", scenario().speculation.drafts()));
    if (!arguments.graphs.value_or(true))
      inquiry().assumptions.emplace_back(
          "the server runs without CUDA graphs, which the model does not know");
    workload.draft = draft();
    workload.graphs_proven =
        std::ranges::any_of(inquiry().observations, [&](const ObservedReading& observed) {
          const SpeedReading& reading = observed.reading;
          return reading.speculative && reading.graph.value_or(false) &&
                 std::lround(reading.batch.value_or(0)) >= scenario().speculation.batch;
        });
    if (arguments.graph_batch) workload.captured_rows = captured_rows();
    if (!facts()) return;
    workload.model = *facts();
    workload.kv_bytes =
        arguments.kv_type.find("fp8") != std::string::npos ? 1 : workload.model.kv_number_bytes;
  }

 private:
  double captured_rows() const {
    const LoggedArguments& arguments = server_.arguments;
    const double batch = *arguments.graph_batch;
    return bare_name(arguments.server) == "sglang" ? batch * scenario().speculation.draft_tokens : batch;
  }

  DraftKind kind_of_draft(const std::string& algorithm) {
    try {
      return parse_draft_kind(algorithm);
    } catch (const UsageError&) {
      inquiry().assumptions.push_back(
          fmt::format("'{}' not known, a draft of one layer taken", scenario().speculation.algorithm));
      return DraftKind::eagle;
    }
  }

  // Where nobody said how it drafts, a model with layers of its own for it drafts with them.
  DraftModel draft() {
    DraftModel draft;
    std::string algorithm = bare_name(scenario().speculation.algorithm);
    std::erase(algorithm, '-');
    draft.kind = kind_of_draft(algorithm);
    const bool own = facts() && facts()->draft.layers > 0;
    if (own && (!server_.draft_named || draft.kind == DraftKind::eagle))
      draft.kind = DraftKind::mtp;  // SGLang: EAGLE
    if (options_.draft_config) draft.facts = read_model_facts(load_model_files(*options_.draft_config));
    return draft;
  }

  ServerSoftware software() const {
    const LoggedArguments& arguments = server_.arguments;
    if (options_.server)
      return of_option("--server", [&] { return parse_server_software(*options_.server); });
    std::string text = bare_name(arguments.server.empty() ? server_.software : arguments.server);
    if (text.empty()) return {};
    if (!arguments.version.empty()) text += "@" + arguments.version;
    try {
      return parse_server_software(text);
    } catch (const UsageError&) {  // a version that nobody knows
      return {};
    }
  }

  Inquiry& inquiry() { return inquiry_; }
  const SpecScenario& scenario() const { return inquiry_.scenario; }
  const std::optional<ModelFacts>& facts() const { return inquiry_.facts; }

  const SpecOptions& options_;
  const ServerFacts& server_;
  Inquiry& inquiry_;
};

}  // namespace

std::string bare_name(const std::string& path) {
  std::string name = path.substr(path.find_last_of('/') + 1);
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name;
}

void build_workload(const SpecOptions& options, const ServerFacts& server, Inquiry& inquiry) {
  WorkloadBuilder(options, server, inquiry).build();
}

}  // namespace ringside
