#pragma once

#include <optional>

#include "served/text_scan.hpp"

namespace ringside {

// A moment as a log writes it. Only moments of one form can be compared: forms differ in their clocks and in
// what they leave out.
struct LogTime {
  enum class Form {
    dated,     // "2026-03-02 10:00:00", "03/02/2026-10:00:00"
    zoned,     // "2026-03-02T10:00:00.123Z": of a collector
    yearless,  // "03-02 10:00:00" (vLLM)
    syslog,    // "Mar  2 10:00:00"
  };
  double s = 0;  // since a moment of its own
  Form form = Form::dated;
};

// Seconds from `earlier` to `later`; nothing where they can't be compared or run backwards.
std::optional<double> seconds_between(const std::optional<LogTime>& earlier,
                                      const std::optional<LogTime>& later);

// Each takes a moment from the front of the text, or takes nothing.
std::optional<LogTime> take_dated(TextScan& scan);     // "2026-03-02 10:00:00", fraction allowed
std::optional<LogTime> take_zoned(TextScan& scan);     // "2026-03-02T10:00:00[.123][Z|+00:00]"
std::optional<LogTime> take_american(TextScan& scan);  // "03/02/2026-10:00:00"
std::optional<LogTime> take_yearless(TextScan& scan);  // "03-02 10:00:00"
std::optional<LogTime> take_syslog(TextScan& scan);    // "Mar  2 10:00:00"

}  // namespace ringside
