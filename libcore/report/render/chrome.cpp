#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/printable.hpp"
#include "report/renderer.hpp"

namespace ringside {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kStepUs = 1000;  // an event without a time gets its place in the order instead

Json named(const char* what, std::size_t track, const std::string& name) {
  return {{"name", what}, {"ph", "M"}, {"pid", 1}, {"tid", track}, {"args", {{"name", name}}}};
}

// Adds the track where it is new. To Perfetto, thread 0 is the idle one.
std::size_t track_of(const TimelineEvent& event, std::vector<std::string>& tracks, Json& events) {
  const auto known = std::ranges::find(tracks, event.track);
  const auto track = static_cast<std::size_t>(known - tracks.begin()) + 1;
  if (known == tracks.end()) {
    tracks.push_back(event.track);
    events.push_back(named("thread_name", track, event.track));
  }
  return track;
}

Json object(const Facts& facts) {
  Json json = Json::object();
  for (const auto& [name, value] : facts) json[name] = value;
  return json;
}

void add_events(const Timeline& timeline, Json& events) {
  events.push_back(named("process_name", 1, timeline.title));
  std::vector<std::string> tracks;
  double order = 0;
  for (const TimelineEvent& event : timeline.events) {
    const std::size_t track = track_of(event, tracks, events);
    Json args = object(event.facts);
    args["decided_by"] = object(event.decided_by);
    Json json = {
        {"name", event.name}, {"cat", event.category}, {"pid", 1}, {"tid", track}, {"args", std::move(args)}};
    if (event.time_s) {  // a moment, no length
      json.update({{"ph", "i"}, {"s", "t"}, {"ts", *event.time_s * 1e6}});
    } else {
      json.update({{"ph", "X"}, {"ts", order}, {"dur", kStepUs}});
    }
    if (event.alarming) json["cname"] = "terrible";
    events.push_back(std::move(json));
    order += kStepUs;
  }
}

// A timeline for Perfetto or chrome://tracing: one track for each worker.
class ChromeRenderer final : public Renderer {
 public:
  std::string_view name() const override { return "chrome"; }
  std::string_view summary() const override { return "an init trace as Chrome trace JSON, for Perfetto"; }
  ViewRequest request(const RenderOptions&) const override { return {.timeline = true}; }
  std::string render_view(const View& view, const RenderOptions&) const override {
    Json events = Json::array();
    if (view.timeline) add_events(*view.timeline, events);
    const Json root = {{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}};
    return harmless_json(root.dump(1, ' ', false, Json::error_handler_t::replace)) + "\n";
  }
};

const RegisterWriter<ChromeRenderer> registered;

}  // namespace
}  // namespace ringside
