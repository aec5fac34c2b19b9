#include "trace/vllm/vllm_framework.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "model/json_scalars.hpp"
#include "trace/core/pipeline_toml.hpp"
#include "trace/sglang/launch_command.hpp"
#include "trace/sglang/source_tree.hpp"

namespace ringside {

namespace {

namespace fs = std::filesystem;

// Options that take a JSON object: each of its keys is an argument "eplb_config.use_async".
constexpr const char* kSections[] = {"eplb_config"};

// `--tensor_parallel_size` is `--tensor-parallel-size`.
void join_words(ShellWord& word) {
  if (!word.text.starts_with("--")) return;
  const std::size_t end = std::min(word.text.find('='), word.text.find('.'));
  std::replace(
      word.text.begin(),
      end == std::string::npos ? word.text.end() : word.text.begin() + static_cast<std::ptrdiff_t>(end), '_',
      '-');
}

Value to_value(const JsonScalar& scalar) {
  if (const auto* flag = std::get_if<bool>(&scalar)) return *flag;
  if (const auto* whole = std::get_if<std::int64_t>(&scalar)) return *whole;
  if (const auto* real = std::get_if<double>(&scalar)) return *real;
  if (const auto* text = std::get_if<std::string>(&scalar)) return *text;
  return None{};
}

// What a text of a command line means where a switch is asked for as a value: "true".
Value as_flag(const Value& value) {
  const auto* text = value.as<std::string>();
  if (text && (*text == "true" || *text == "True")) return true;
  if (text && (*text == "false" || *text == "False")) return false;
  return value;
}

void open_sections(Launch& launch) {
  for (const char* section : kSections) {
    const auto given = launch.args.find(section);
    const auto* text = given == launch.args.end() ? nullptr : given->second.as<std::string>();
    if (!text) continue;
    for (const JsonEntry& entry : json_scalars(*text, fmt::format("--{}", section)))
      launch.args[fmt::format("{}.{}", section, entry.path)] = to_value(entry.value);
  }
  for (auto& [field, value] : launch.args)
    if (field.find('.') != std::string::npos) value = as_flag(value);
}

std::string find_package(const std::string& directory) {
  std::error_code problem;
  if (!fs::is_directory(directory, problem))
    throw UsageError(fmt::format("{}: {}", directory, problem ? problem.message() : "not a directory"));
  for (const char* below : {"vllm", ""})
    if (fs::is_regular_file(fs::path(directory) / below / "engine/arg_utils.py", problem))
      return (fs::path(directory) / below).string();
  throw UsageError(fmt::format("{}: not a vLLM tree (it has no vllm/engine/arg_utils.py)", directory));
}

bool has_trait(const ModelClass& model, std::string_view trait) {
  return std::find(model.traits.begin(), model.traits.end(), trait) != model.traits.end();
}

// The death that stands for a class in the procedure of the dispatch.
const Step* death_of(const Pipeline& pipeline, const ModelClass& model) {
  const auto dispatch = pipeline.procedures.find(kDispatchProcedure);
  if (dispatch == pipeline.procedures.end()) return nullptr;
  for (const Step& step : dispatch->second.steps) {
    const Truth reached = step.guard
                              .judge([&](const std::string& name) -> Value {
                                return has_trait(model, name.substr(name.find('_') + 1));
                              })
                              .verdict();
    if (step.effect == EffectKind::raise && reached == Truth::yes) return &step;
  }
  return nullptr;
}

std::string line_of(const Pipeline& pipeline, const ModelClass& model) {
  if (model.hook == Truth::yes) return fmt::format("implements MixtureOfExperts ({})", model.hook_at);
  if (model.hook == Truth::unknown)
    return "picks its inner model at run time: not known whether EPLB finds its experts";
  if (!has_trait(model, "experts")) return "no experts";
  if (has_trait(model, "v2_runner"))
    return "no MixtureOfExperts: EPLB is silently off with --enable-eplb (V2 model runner)";
  const Step* death = death_of(pipeline, model);
  if (!death) return "no MixtureOfExperts";
  return fmt::format("no MixtureOfExperts: dies with --enable-eplb: {}{} at {}", death->error,
                     death->text.empty() ? "" : ": " + death->text, death->place.text());
}

class Vllm final : public Framework {
 public:
  std::string_view name() const override { return "vllm"; }
  std::string_view title() const override { return "vLLM"; }
  std::optional<std::string> newest_pipeline() const override { return std::nullopt; }
  bool has_live_hook() const override { return false; }

  Pipeline first_look() const override {
    Pipeline pipeline;
    pipeline.server = "vllm";
    pipeline.flags = {{{"--model"}, "model", "value", {}}};
    return pipeline;
  }

  Launch read_launch(const ServerCommand& command, const Pipeline& pipeline) const override {
    ServerCommand joined = command;
    for (ShellWord& word : joined.arguments) join_words(word);
    Launch launch = ringside::read_launch(joined, pipeline);
    // Options of parsers that are not read are no refusals: the finding says that they are not known.
    std::erase_if(launch.refused, [](const RefusedArgument& refused) { return refused.field.empty(); });
    for (Finding& finding : launch.findings)
      if (finding.kind == finding_kind("unknown-flag"))
        finding.message = fmt::format("{}: not known which option that is; it is left out", finding.subject);
    if (const auto model = launch.args.find("model"); model != launch.args.end())
      launch.args["model_path"] = model->second;
    open_sections(launch);
    return launch;
  }

  std::string read_source_text(const SourceRequest& request) const override {
    return run_source_reader("vllm", find_package(request.directory), request);
  }

  Pipeline read_source(const SourceRequest& request) const override {
    ScenarioText text;
    text.name = fs::path(request.directory).lexically_normal().string();
    text.origin = request.directory;
    text.text = read_source_text(request);
    Pipeline pipeline = read_pipeline(text);
    pipeline.title = fmt::format("vLLM in {}", text.name);
    return pipeline;
  }

  std::vector<ModelLine> models(const Pipeline& pipeline) const override {
    std::vector<ModelLine> lines;
    for (const auto& [name, model] : pipeline.classes)
      lines.push_back({name, model.place.text(), line_of(pipeline, model)});
    return lines;
  }
};

}  // namespace

const Framework& vllm_framework() {
  static const Vllm framework;
  return framework;
}

}  // namespace ringside
