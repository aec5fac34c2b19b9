#include "support/edition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <optional>
#include <string>

#include "base/errors.hpp"
#include "base/text.hpp"

namespace ringside {
namespace {

using Number = std::vector<int>;

// "0.5.10.post1" -> {0, 5, 10, 1, 1}; "0.5.10rc0" -> {0, 5, 10, -1, 0}. Nothing for what is no version.
std::optional<Number> version_number(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  Number number;
  while (!text.empty()) {
    const bool digit = std::isdigit(static_cast<unsigned char>(text.front())) != 0;
    const auto end = std::ranges::find_if(
        text, [&](unsigned char c) { return c == '.' || (std::isdigit(c) != 0) != digit; });
    const std::string_view part(text.begin(), end);
    if (digit && part.size() <= 6) {
      number.push_back(std::stoi(std::string(part)));
    } else if (part == "post") {
      number.push_back(1);
    } else if (part == "rc" || part == "a" || part == "b" || part == "dev") {
      number.push_back(-1);
    } else {
      return std::nullopt;
    }
    text.remove_prefix(part.size());
    if (text.starts_with('.')) {
      text.remove_prefix(1);
      if (text.empty()) return std::nullopt;
    }
  }
  return number.empty() ? std::nullopt : std::optional(number);
}

// {0, 5} and {0, 5, 0} are the same; a release candidate comes before its release.
int compare(const Number& a, const Number& b) {
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const int left = i < a.size() ? a[i] : 0, right = i < b.size() ? b[i] : 0;
    if (left != right) return left < right ? -1 : 1;
  }
  return 0;
}

Edition of_day(const std::vector<ReadEdition>& read, std::string day) {
  Edition edition{.name = day, .from = day, .to = day, .standing = Edition::Standing::read, .note = {}};
  if (day > read.back().date) {
    edition.standing = Edition::Standing::newer;
    edition.note = fmt::format("rules read up to {}; yours is newer: not checked", read.back().text());
  } else if (day < read.front().date) {
    edition.standing = Edition::Standing::older;
    edition.note = fmt::format("rules read from {} on; yours is older: not checked", read.front().text());
  }
  return edition;
}

// A version that stands among those that were read, but is none of them.
Edition of_number(const std::vector<ReadEdition>& read, std::string_view name, const Number& number) {
  Edition edition{.name = std::string(name),
                  .from = {},
                  .to = read.back().date,
                  .standing = Edition::Standing::between,
                  .note = {}};
  std::string above;
  for (const ReadEdition& one : read) {
    const auto known = version_number(one.version);
    if (!known) continue;
    if (compare(*known, number) < 0) {
      edition.from = one.date;
    } else if (above.empty()) {
      above = one.version;
      edition.to = one.date;
    }
  }
  if (edition.from.empty()) {
    edition.from = edition.to = "0000-01-01";
    edition.standing = Edition::Standing::older;
    edition.note = fmt::format("rules read from {} on; yours is older: not checked", read.front().text());
    return edition;
  }
  edition.note = fmt::format(
      "the day of {} is not known here: what changed between {} and {} is not known for it{}; name its day "
      "instead (YYYY-MM-DD)",
      name, edition.from, edition.to,
      above.empty() ? fmt::format(", and it may be newer than {}", read.back().text()) : "");
  return edition;
}

}  // namespace

std::string ReadEdition::text() const {
  return fmt::format("{} of {}", version, date);
}

bool is_day(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00";
  if (text.size() != kForm.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool fits = kForm[i] == '-' ? text[i] == '-' : text[i] >= '0' && text[i] <= '9';
    if (!fits) return false;
  }
  const auto number = [&](std::size_t at, std::size_t digits) {
    return std::stoi(std::string(text.substr(at, digits)));
  };
  const std::chrono::year_month_day day{std::chrono::year(number(0, 4)),
                                        std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                        std::chrono::day(static_cast<unsigned>(number(8, 2)))};
  return number(0, 4) >= 2000 && day.ok();
}

Edition find_edition(const std::vector<ReadEdition>& read, std::string_view name) {
  const std::string_view wanted = name.empty() ? std::string_view(read.back().version) : name;
  if (is_day(wanted)) return of_day(read, std::string(wanted));
  const auto number = version_number(wanted);
  for (const ReadEdition& one : read) {
    const auto known = version_number(one.version);
    const bool same = one.version == wanted || (number && known && compare(*number, *known) == 0);
    if (!same) continue;
    Edition edition = of_day(read, one.date);
    edition.name = one.version;
    return edition;
  }
  if (number) return of_number(read, wanted, *number);
  std::vector<std::string> valid;
  for (const ReadEdition& one : read) valid.push_back(one.version);
  throw UsageError(fmt::format("'{}' is neither a version nor a day (YYYY-MM-DD); known are {}", wanted,
                               join(valid, ", ")));
}

Period::Cover Period::of(const Edition& edition) const {
  const bool begun = since.empty() || edition.from >= since;
  const bool not_yet = !since.empty() && (after.empty() ? edition.to < since : edition.to <= after);
  const bool over = !until.empty() && edition.from >= until;
  const bool not_over = until.empty() || edition.to < until;
  if (not_yet || over) return Cover::none;
  return begun && not_over ? Cover::all : Cover::part;
}

std::string Period::change_text() const {
  if (!after.empty()) return fmt::format("a change between {} and {}", after, since);
  if (since.empty()) return fmt::format("the change of {}", until);
  return until.empty() ? fmt::format("the change of {}", since)
                       : fmt::format("the changes of {} and {}", since, until);
}

}  // namespace ringside
