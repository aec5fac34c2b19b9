#include <nlohmann/json.hpp>

#include "report/trace_steps.hpp"
#include "report/writer.hpp"

namespace ringside {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kStepUs = 1000;  // a step without a time gets its place in the order instead

// The steps of an init trace for Perfetto or chrome://tracing: one track for each worker.
class ChromeWriter final : public Writer {
 public:
  std::string_view name() const override { return "chrome"; }
  std::string_view summary() const override { return "an init trace as Chrome trace JSON, for Perfetto"; }
  std::string render(const Document& document, const RenderOptions&) const override {
    Json events = Json::array();
    if (document.trace) add_steps(*document.trace, events);
    const Json root = {{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}};
    return root.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  }

 private:
  static int track_of(const TraceStep& step, std::vector<std::string>& tracks, Json& events) {
    const std::string name = step.process.value_or(step_who(step));
    for (std::size_t i = 0; i < tracks.size(); ++i)
      if (tracks[i] == name) return static_cast<int>(i) + 1;
    tracks.push_back(name);
    const int track = static_cast<int>(tracks.size());  // to Perfetto, thread 0 is the idle one
    events.push_back(
        {{"name", "thread_name"}, {"ph", "M"}, {"pid", 1}, {"tid", track}, {"args", {{"name", name}}}});
    return track;
  }

  static void add_steps(const InitTrace& trace, Json& events) {
    events.push_back(
        {{"name", "process_name"}, {"ph", "M"}, {"pid", 1}, {"tid", 1}, {"args", {{"name", trace.title}}}});
    std::vector<std::string> tracks;
    double order = 0;
    for (const TraceStep& step : trace.steps) {
      const int track = track_of(step, tracks, events);
      Json facts = Json::object();
      for (const auto& [name, value] : step.decided_by) facts[name] = value;
      const bool marked = step.mark != StepMark::none;
      Json event = {{"name", step.effect},
                    {"cat", to_string(step.result)},
                    {"pid", 1},
                    {"tid", track},
                    {"args",
                     {{"place", step_place(step)},
                      {"function", step.function},
                      {"guard", step.guard},
                      {"mark", to_string(step.mark)},
                      {"decided_by", facts}}}};
      if (step.time_s) {  // what the hook reports has a moment, no length
        event.update({{"ph", "i"}, {"s", "t"}, {"ts", *step.time_s * 1e6}});
      } else {
        event.update({{"ph", "X"}, {"ts", order}, {"dur", kStepUs}});
      }
      if (marked) event["cname"] = "terrible";
      events.push_back(std::move(event));
      order += kStepUs;
    }
  }
};

const RegisterWriter<ChromeWriter> registered;

}  // namespace
}  // namespace ringside
