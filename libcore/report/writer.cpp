#include "report/writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/errors.hpp"

namespace ringside {
namespace {

// Inside a function: writers register themselves before main, in any order.
std::vector<const Writer*>& registry() {
  static std::vector<const Writer*> writers;
  return writers;
}

}  // namespace

std::string Writer::render_several(std::span<const NamedDocument>, const RenderOptions&) const {
  throw UsageError(fmt::format("--{} shows one result at a time", name()));
}

std::span<const Writer* const> all_writers() {
  return registry();
}

const Writer* find_writer(std::string_view name) {
  const auto found = std::ranges::find(registry(), name, [](const Writer* writer) { return writer->name(); });
  return found == registry().end() ? nullptr : *found;
}

void register_writer(const Writer& writer) {
  auto& writers = registry();
  const auto place =
      std::ranges::upper_bound(writers, writer.name(), {}, [](const Writer* w) { return w->name(); });
  writers.insert(place, &writer);
}

}  // namespace ringside
