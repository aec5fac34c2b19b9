#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "base/errors.hpp"
#include "base/text.hpp"
#include "spec/estimate/workload.hpp"

namespace ringside {
namespace {

struct Release {
  std::array<int, 3> version;
  SoftwareAge until;  // of this version and older ones
};

// First releases of each half year, from the projects' release pages.
constexpr Release kVllm[] = {{{0, 9, 1}, SoftwareAge::half1_2025},
                             {{0, 13, 0}, SoftwareAge::half2_2025},
                             {{0, 24, 0}, SoftwareAge::half1_2026}};
constexpr Release kSglang[] = {{{0, 4, 8}, SoftwareAge::half1_2025},
                               {{0, 5, 6}, SoftwareAge::half2_2025},
                               {{0, 5, 14}, SoftwareAge::half1_2026}};
constexpr Release kTrtllm[] = {{{0, 20, 0}, SoftwareAge::half1_2025},
                               {{1, 1, 0}, SoftwareAge::half2_2025},
                               {{1, 3, 0}, SoftwareAge::half1_2026}};

// Up to three numbers of "v0.5.10.post1"; none where it begins otherwise.
std::optional<std::array<int, 3>> parse_version(std::string_view text) {
  if (!text.empty() && (text.front() == 'v' || text.front() == 'V')) text.remove_prefix(1);
  std::array<int, 3> version{};
  std::size_t at = 0;
  for (int& part : version) {
    const std::size_t first = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9' && part < 100000)
      part = part * 10 + (text[at++] - '0');
    if (at == first) return &part == version.data() ? std::nullopt : std::optional(version);
    if (at >= text.size() || text[at] != '.') return version;
    ++at;
  }
  return version;
}

std::optional<SoftwareAge> parse_date(std::string_view text) {
  if (text.size() < 4 || text.substr(0, 2) != "20") return std::nullopt;
  const auto version = parse_version(text);
  const int year = version ? (*version)[0] : 0;
  if (year < 2020 || year > 2099) return std::nullopt;
  int month = 7;
  if (text.size() >= 7 && text[4] == '-') month = (text[5] - '0') * 10 + (text[6] - '0');
  if (month < 1 || month > 12) return std::nullopt;
  if (year < 2025 || (year == 2025 && month <= 6)) return SoftwareAge::half1_2025;
  if (year == 2025) return SoftwareAge::half2_2025;
  return year == 2026 && month <= 6 ? SoftwareAge::half1_2026 : SoftwareAge::half2_2026;
}

SoftwareAge age_of(ServerKind kind, const std::array<int, 3>& version) {
  const auto find = [&](const Release(&releases)[3]) {
    for (const Release& release : releases)
      if (version <= release.version) return release.until;
    return SoftwareAge::half2_2026;
  };
  switch (kind) {
    case ServerKind::vllm:
      return find(kVllm);
    case ServerKind::sglang:
      return find(kSglang);
    case ServerKind::trtllm:
      return find(kTrtllm);
    case ServerKind::unknown:
      break;
  }
  return SoftwareAge::unknown;
}

}  // namespace

ServerSoftware parse_server_software(std::string_view text) {
  ServerSoftware server;
  const std::size_t at = text.find('@');
  const std::string name = lower_case(text.substr(0, at));
  std::string_view rest = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
  if (name == "vllm") {
    server.kind = ServerKind::vllm;
  } else if (name == "sglang") {
    server.kind = ServerKind::sglang;
  } else if (name == "trtllm" || name == "tensorrt-llm") {
    server.kind = ServerKind::trtllm;
  } else if (at == std::string_view::npos && parse_date(text)) {
    rest = text;
  } else {
    throw UsageError(
        fmt::format("unknown server '{}': vllm, sglang or trtllm, with @VERSION or @2026-03, or a date",
                    std::string(text)));
  }
  server.version = std::string(rest);
  if (rest.empty()) return server;
  if (const auto date = parse_date(rest)) {
    server.age = *date;
  } else if (const auto version = parse_version(rest)) {
    server.age = age_of(server.kind, *version);
  } else {
    throw UsageError(fmt::format("'{}' is no version and no date", std::string(rest)));
  }
  return server;
}

DraftKind parse_draft_kind(std::string_view text) {
  std::string name = lower_case(text);
  std::erase_if(name, [](char c) { return c == '-' || c == '_'; });
  if (name == "mtp" || name == "nextn" || name == "deepseekmtp") return DraftKind::mtp;
  if (name == "eagle3") return DraftKind::eagle3;
  if (name == "eagle" || name == "eagle2") return DraftKind::eagle;
  if (name == "ngram" || name == "promptlookup") return DraftKind::ngram;
  if (name == "draftmodel" || name == "standalone" || name == "separate") return DraftKind::separate;
  if (name == "none") return DraftKind::none;
  throw UsageError(fmt::format("unknown kind of draft '{}': mtp, eagle, eagle3, draft_model, ngram or none",
                               std::string(text)));
}

}  // namespace ringside
