#include "trace/core/tell_message.hpp"

#include "trace/core/message_search.hpp"

namespace ringside {

void tell_message(const TraceDeath& death, const KnownLaunch& launch,
                  const std::optional<std::filesystem::path>& tree, Finding& finding) {
  for (const std::string& tie : named_in_message(death.message, launch))
    finding.evidence.push_back("the message names " + tie);
  if (const auto advice = advice_in_message(death.message); advice && finding.remedy.empty())
    finding.remedy = "as the message itself says: " + *advice;
  if (!tree) return;
  for (std::string& place : places_text(search_message(*tree, death.message)))
    finding.evidence.push_back(std::move(place));
}

}  // namespace ringside
