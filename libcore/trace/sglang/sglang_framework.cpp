#include "trace/sglang/sglang_framework.hpp"

#include "trace/sglang/launch_command.hpp"
#include "trace/sglang/model_table.hpp"
#include "trace/sglang/source_tree.hpp"

namespace ringside {

namespace {

class Sglang final : public Framework {
 public:
  std::string_view name() const override { return "sglang"; }
  std::string_view title() const override { return "SGLang"; }
  std::optional<std::string> newest_pipeline() const override { return "0.5.10.post1"; }
  bool has_live_hook() const override { return true; }

  Pipeline first_look() const override {
    Pipeline pipeline;
    pipeline.flags = {{{"--model-path", "--model"}, "model_path", "value", {}},
                      {{"--speculative-draft-model-path", "--speculative-draft-model"},
                       "speculative_draft_model_path",
                       "value",
                       {}}};
    return pipeline;
  }

  Launch read_launch(const ServerCommand& command, const Pipeline& pipeline) const override {
    return ringside::read_launch(command, pipeline);
  }

  Pipeline read_source(const SourceRequest& request) const override { return ringside::read_source(request); }

  std::string read_source_text(const SourceRequest& request) const override {
    return ringside::read_source_text(request);
  }

  std::vector<ModelLine> models(const Pipeline& pipeline) const override {
    std::vector<ModelLine> lines;
    for (const ModelVerdict& verdict : judge_models(pipeline))
      lines.push_back({verdict.model->name, verdict.model->place.text(), to_text(verdict)});
    return lines;
  }
};

}  // namespace

const Framework& sglang_framework() {
  static const Sglang framework;
  return framework;
}

}  // namespace ringside
