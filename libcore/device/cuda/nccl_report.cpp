#include "device/cuda/nccl_report.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>

#include "base/errors.hpp"
#include "base/text.hpp"

namespace ringside {
namespace {

// The word that follows `key` in a line, or nothing.
std::optional<std::string> word_after(std::string_view line, std::string_view key) {
  const std::size_t at = line.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  line.remove_prefix(at + key.size());
  return std::string(line.substr(0, line.find(' ')));
}

std::optional<int> parse_count(std::string_view text) {
  int count = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (problem != std::errc() || end != text.data() + text.size() || count < 0) return std::nullopt;
  return count;
}

// A number of channels; nothing for 0, which is none.
std::optional<int> count_of(std::string_view text) {
  const auto count = parse_count(text);
  return count && *count > 0 ? count : std::nullopt;
}

// "0..15}": the first and the last.
std::optional<int> count_channels(std::string_view range) {
  const std::size_t dots = range.find("..");
  if (dots == std::string_view::npos || !range.ends_with('}')) return std::nullopt;
  range.remove_suffix(1);
  const auto first = parse_count(range.substr(0, dots)), last = parse_count(range.substr(dots + 2));
  if (!first || !last || *last < *first) return std::nullopt;
  return *last - *first + 1;
}

// "AllReduce: 65536 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..1}"
std::optional<NcclRan> parse_classic(std::string_view line) {
  const auto algorithm = word_after(line, " Bytes -> Algo ");
  const auto protocol = word_after(line, " proto ");
  if (!algorithm || !protocol) return std::nullopt;
  return NcclRan{*algorithm + "/" + *protocol,
                 count_channels(word_after(line, "channel{Lo..Hi}={").value_or(""))};
}

// "AllReduce [Symmetric]: 4096 Bytes -> Kernel AllReduce_AGxLL_R nchannels 2 nthreads 512 nWorks 1"
std::optional<NcclRan> parse_symmetric(std::string_view line) {
  auto kernel = word_after(line, " Bytes -> Kernel ");
  if (!kernel) return std::nullopt;
  constexpr std::string_view kPrefix = "AllReduce_";
  if (kernel->starts_with(kPrefix)) kernel->erase(0, kPrefix.size());
  return NcclRan{"SYMMETRIC/" + *kernel, count_of(word_after(line, " nchannels ").value_or(""))};
}

}  // namespace

std::optional<NcclRan> parse_nccl_report(std::string_view text) {
  std::optional<NcclRan> last;
  for (const std::string& line : split(text, '\n')) {
    if (line.find("AllReduce: ") != std::string::npos) {
      if (auto ran = parse_classic(line)) last = std::move(ran);
    } else if (line.find("AllReduce [Symmetric]: ") != std::string::npos) {
      if (auto ran = parse_symmetric(line)) last = std::move(ran);
    }
  }
  return last;
}

NcclReport::NcclReport() : file_(::memfd_create("ringside-nccl-report", MFD_CLOEXEC)) {
  if (!file_) throw SystemError("memfd_create", errno);
  ::setenv("NCCL_DEBUG", "INFO", 1);
  ::setenv("NCCL_DEBUG_SUBSYS", "TUNING", 1);
  ::setenv("NCCL_DEBUG_FILE", fmt::format("/proc/self/fd/{}", file_.get()).c_str(), 1);
}

std::string NcclReport::take() {
  std::string text;
  std::array<char, 16384> bytes;
  for (;;) {
    const ssize_t count = ::pread(file_.get(), bytes.data(), bytes.size(), static_cast<off_t>(taken_));
    if (count < 0) throw SystemError("pread of NCCL's report", errno);
    if (count == 0) return text;
    text.append(bytes.data(), static_cast<std::size_t>(count));
    taken_ += static_cast<std::size_t>(count);
  }
}

}  // namespace ringside
