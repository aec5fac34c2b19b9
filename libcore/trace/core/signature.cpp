#include "trace/core/signature.hpp"

#include <algorithm>

namespace ringside {

namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// "torch.OutOfMemoryError" is an OutOfMemoryError.
bool same_error(std::string_view found, std::string_view wanted) {
  const std::size_t dot = found.rfind('.');
  return found == wanted || (dot != std::string_view::npos && found.substr(dot + 1) == wanted);
}

// "/opt/sglang/srt/eplb/x.py" ends in the file "eplb/x.py", "my_x.py" does not end in "x.py".
bool is_file(std::string_view path, std::string_view file) {
  return path.ends_with(file) && (path.size() == file.size() || path[path.size() - file.size() - 1] == '/');
}

bool is_function(std::string_view found, std::string_view wanted) {
  const std::size_t dot = found.rfind('.');
  return (dot == std::string_view::npos ? found : found.substr(dot + 1)) == wanted;
}

// Whether the parts of a text such as "nvls.cc ... failure 401" stand in a text, in their order.
bool contains_in_order(std::string_view text, std::string_view parts) {
  constexpr std::string_view kAnything = " ... ";
  while (true) {
    const std::size_t end = parts.find(kAnything);
    const std::string_view part = parts.substr(0, end);
    const std::size_t at = text.find(part);
    if (at == std::string_view::npos) return false;
    if (end == std::string_view::npos) return true;
    text.remove_prefix(at + part.size());
    parts.remove_prefix(end + kAnything.size());
  }
}

bool is_frame(const TraceFrame& frame, std::string_view wanted) {
  const std::size_t colon = wanted.find(':');
  return is_file(frame.file, wanted.substr(0, colon)) &&
         (colon == std::string_view::npos || is_function(frame.function, wanted.substr(colon + 1)));
}

std::size_t demands(const Signature::Match& match) {
  return (match.error.empty() ? 0u : 1u) + (match.file.empty() ? 0u : 1u) +
         (match.function.empty() ? 0u : 1u) + match.message.size() + (match.any_message.empty() ? 0u : 1u) +
         (match.message_is.empty() ? 0u : 1u) + (match.any_file.empty() ? 0u : 1u) +
         (match.source_has.empty() ? 0u : 1u) + (match.near.empty() ? 0u : 1u);
}

bool says(const Signature::Match& match, const TraceDeath& death, const std::vector<std::string>& before) {
  const auto in_message = [&](const std::string& text) { return contains(death.message, text); };
  const auto in_order = [&](const std::string& text) { return contains_in_order(death.message, text); };
  // A signature by place alone is of a bare exception: one that says something is another matter.
  if (match.message.empty() && match.any_message.empty() && match.message_is.empty() && match.near.empty() &&
      !death.message.empty())
    return false;
  if (!std::all_of(match.message.begin(), match.message.end(), in_message)) return false;
  if (!match.any_message.empty() &&
      std::none_of(match.any_message.begin(), match.any_message.end(), in_order))
    return false;
  if (!match.message_is.empty() &&
      std::find(match.message_is.begin(), match.message_is.end(), death.message) == match.message_is.end())
    return false;
  // An exception is another matter than what was said before it, unless its own words are asked for too.
  const bool counts = death.error.empty() || !match.message.empty() || !match.any_message.empty();
  const auto in_a_line = [&](const std::string& text) {
    return std::any_of(before.begin(), before.end(),
                       [&](const std::string& line) { return contains_in_order(line, text); });
  };
  return match.near.empty() ||
         std::any_of(match.near.begin(), match.near.end(),
                     [&](const std::string& text) { return in_order(text) || (counts && in_a_line(text)); });
}

}  // namespace

bool Signature::matches(const TraceDeath& death, const std::vector<std::string>& before) const {
  if (!match.lines.empty() || demands(match) == 0) return false;
  if (!match.error.empty() && !same_error(death.error, match.error)) return false;
  if (!match.file.empty() && (death.frames.empty() || !is_file(death.frames.back().file, match.file)))
    return false;
  if (!match.function.empty() &&
      (death.frames.empty() || !is_function(death.frames.back().function, match.function)))
    return false;
  if (!match.source.empty() && !death.frames.empty() && !death.frames.back().source.empty() &&
      !contains(death.frames.back().source, match.source))
    return false;
  if (!match.source_has.empty() &&
      (death.frames.empty() || !contains(death.frames.back().source, match.source_has)))
    return false;
  if (!says(match, death, before)) return false;
  return match.any_file.empty() ||
         std::any_of(match.any_file.begin(), match.any_file.end(), [&](const std::string& wanted) {
           return std::any_of(death.frames.begin(), death.frames.end(),
                              [&](const TraceFrame& frame) { return is_frame(frame, wanted); });
         });
}

std::vector<std::string> Signature::lines_near(const std::vector<std::string>& before) const {
  for (const std::string& line : before)
    if (std::any_of(match.near.begin(), match.near.end(),
                    [&](const std::string& text) { return contains_in_order(line, text); }))
      return {line};
  return {};
}

bool Signature::matches_line(std::string_view line) const {
  return std::any_of(match.lines.begin(), match.lines.end(),
                     [&](const std::string& text) { return contains(line, text); });
}

const Signature* find_signature(const std::vector<Signature>& signatures, const TraceDeath& death,
                                const std::vector<std::string>& before) {
  const Signature* best = nullptr;
  for (const Signature& signature : signatures)
    if (signature.matches(death, before) && (!best || demands(signature.match) > demands(best->match)))
      best = &signature;
  return best;
}

}  // namespace ringside
