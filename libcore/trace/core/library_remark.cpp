#include "trace/core/library_remark.hpp"

#include <algorithm>
#include <array>

#include "base/printable.hpp"
#include "base/text.hpp"

namespace ringside {

namespace {

constexpr std::size_t kMostRemarks = 64, kLongest = 500;
constexpr std::string_view kAnything = " ... ";  // in a text of a signature

constexpr std::array<std::string_view, 3> kSaid = {"NCCL WARN ", "Failed to register memory",
                                                   "NVSHMEM ERROR"};
// NVSHMEM's own checks, some of which it survives, and what says that there is no more to come.
constexpr std::array<std::string_view, 4> kEnds = {
    "init failed for transport: ", "neither nv_peer_mem, or nvidia_peermem", "no transport devices found",
    ": NULL value "};
constexpr std::array<std::string_view, 2> kEnd = {": non-zero status: ",
                                                  "There are not enough slots available"};

template <typename Texts>
bool holds_any(std::string_view text, const Texts& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

// What of a remark is the same when another rank makes it.
std::string_view same_part(std::string_view text) {
  const std::size_t at = text.find("NCCL WARN ");
  return at == std::string_view::npos ? text : text.substr(at);
}

}  // namespace

std::vector<std::string> remark_texts(const std::vector<Signature>& signatures) {
  std::vector<std::string> texts(kSaid.begin(), kSaid.end());
  texts.insert(texts.end(), kEnds.begin(), kEnds.end());
  texts.insert(texts.end(), kEnd.begin(), kEnd.end());
  for (const Signature& signature : signatures)
    for (const std::string& text : signature.match.near)
      texts.push_back(text.substr(0, text.find(kAnything)));
  return texts;
}

std::optional<LibraryRemark> read_remark(const LogText& line, long number,
                                         const std::vector<Signature>& signatures) {
  const bool end = holds_any(line.text, kEnd);
  const bool ends = end || holds_any(line.text, kEnds);
  const auto sought = [&](const Signature& signature) {
    return std::any_of(signature.match.near.begin(), signature.match.near.end(),
                       [&](const std::string& text) {
                         return line.text.find(text.substr(0, text.find(kAnything))) != std::string::npos;
                       });
  };
  if (!ends && !holds_any(line.text, kSaid) && std::none_of(signatures.begin(), signatures.end(), sought))
    return std::nullopt;
  return LibraryRemark{printable(trim(std::string_view(line.text).substr(0, kLongest))), number, ends, end};
}

void keep_remark(std::optional<LibraryRemark> remark, std::vector<LibraryRemark>& remarks) {
  if (!remark || remarks.size() >= kMostRemarks) return;
  const auto same = [&](const LibraryRemark& known) {
    return same_part(known.text) == same_part(remark->text);
  };
  if (std::none_of(remarks.begin(), remarks.end(), same)) remarks.push_back(std::move(*remark));
}

std::vector<std::string> remarks_before(const std::vector<LibraryRemark>& remarks, long line) {
  std::vector<std::string> texts;
  for (const LibraryRemark& remark : remarks)
    if (remark.line < line) texts.push_back(remark.text);
  return texts;
}

}  // namespace ringside
