#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ringside {

// A version that the rules cover: read in its source, or in the history between two that were.
struct ReadEdition {
  std::string version;  // "0.12.0", "main"
  std::string date;     // "2025-12-03"
  std::string commit;   // empty: not noted

  std::string text() const;  // "0.12.0 of 2025-12-03"
};

// A version that somebody runs, as a stretch of dates: a release between two that were read may be of any day
// between them.
struct Edition {
  enum class Standing { read, newer, older, between };
  std::string name;  // "0.12.0", "2026-03-01"
  std::string from;  // the same as `to` where the day is known
  std::string to;
  Standing standing = Standing::read;
  std::string note;  // what is not checked about it; empty: nothing
};

// What a user names: a version ("0.12.0", "v0.12.0", "main"), a day ("2026-03-01"), or nothing, for the
// newest that was read. `read` has ascending dates and is not empty. Throws UsageError where it is neither.
Edition find_edition(const std::vector<ReadEdition>& read, std::string_view name);

// Whether it reads "2026-03-01" and can be a day.
bool is_day(std::string_view text);

// When a rule holds: from `since` on, before `until`; empty: always. Where the day of the change is not known
// it lies behind `after`, the last one on which the rule did not hold.
struct Period {
  std::string since;
  std::string until;
  std::string after;

  enum class Cover { all, none, part };
  Cover of(const Edition& edition) const;
  // "the change of 2026-05-20": what part() leaves open.
  std::string change_text() const;
};

}  // namespace ringside
