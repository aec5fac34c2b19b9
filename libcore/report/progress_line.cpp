#include "report/progress_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/duration.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"

namespace ringside {
namespace {

// The first `columns` code points of `text`; with from_end, the last ones.
std::string_view take(std::string_view text, std::size_t columns, bool from_end) {
  const auto begins = [&](std::size_t i) { return (static_cast<unsigned char>(text[i]) & 0xc0u) != 0x80u; };
  std::size_t skip = from_end ? display_width(text) - columns : columns;
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (begins(at) && skip-- == 0) break;
  }
  return from_end ? text.substr(at) : text.substr(0, at);
}

}  // namespace

std::string elide_middle(std::string_view text, std::size_t width) {
  constexpr std::string_view dots = "...";
  if (display_width(text) <= width) return std::string(text);
  if (width <= dots.size()) return std::string(dots.substr(0, width));
  const std::size_t kept = width - dots.size();
  const std::size_t tail = kept / 2;
  return std::string(take(text, kept - tail, false)).append(dots).append(take(text, tail, true));
}

std::string progress_line(std::string_view text, double done, std::chrono::nanoseconds left,
                          std::size_t width) {
  constexpr std::size_t least_text = 12;  // below this an elided text says nothing
  constexpr std::size_t gap = 2;
  // Rounded down: 100% is said only when it is so.
  const double part = std::isfinite(done) ? std::clamp(done, 0.0, 1.0) : 0.0;
  const std::string percent = fmt::format("{:3.0f}%", std::floor(100 * part));
  const std::string time = left < left.zero() ? "" : format_duration(left) + " left";
  const std::string clean = printable(text);

  const std::size_t need = std::min(display_width(clean), least_text);
  const auto room_beside = [&](std::size_t taken) { return taken + gap > width ? 0 : width - taken - gap; };
  const std::size_t with_time = room_beside(percent.size() + (time.empty() ? 0 : gap + time.size()));
  if (with_time >= need) {
    const std::string shown = elide_middle(clean, with_time);
    return percent + (shown.empty() ? "" : "  " + shown) + (time.empty() ? "" : "  " + time);
  }
  const std::size_t without_time = room_beside(percent.size());
  if (without_time >= need) return percent + "  " + elide_middle(clean, without_time);
  return width >= percent.size() ? percent : "";
}

}  // namespace ringside
