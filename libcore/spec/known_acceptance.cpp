#include "spec/known_acceptance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/errors.hpp"

namespace ringside {
namespace {

constexpr double kNinety = 1.6449;  // sigmas on each side of 90 %
constexpr double kTenths = 2.5631;  // sigmas between the tenth at both ends
constexpr double kSmall = 0.01;     // a sigma that changes nothing

std::string origin_text(Origin origin, const std::string& source) {
  return source == kTypedAcceptance ? "given" : std::string(to_string(origin));
}

double sigma_of(const Quantity& quantity) {
  if (!quantity.range || quantity.range->low <= 0) return 0;
  return std::log(quantity.range->high / quantity.range->low) / (2 * kNinety);
}

std::string rates_text(const std::vector<double>& rates, const std::string& origin) {
  return fmt::format("acceptance by position {:.2f} ({})", fmt::join(rates, ", "), origin);
}

// The scatter of a mean over windows.
double sigma_of(const SpeedReading& reading) {
  if (!reading.length_spread || reading.length_spread->low <= 0) return 0;
  const double scatter = std::log(reading.length_spread->high / reading.length_spread->low) / kTenths;
  const double sigma = scatter / std::sqrt(std::max(reading.windows, 1));
  return sigma < kSmall ? 0 : sigma;
}

const ObservedReading* best_reading(const std::vector<ObservedReading>& observations, int batch) {
  const ObservedReading* best = nullptr;
  const auto rank = [&](const ObservedReading& observed) {
    const bool here = observed.reading.batch && std::lround(*observed.reading.batch) == batch;
    return std::pair(here, observed.reading.windows);
  };
  for (const ObservedReading& observed : observations) {
    const SpeedReading& reading = observed.reading;
    if (!reading.speculative || (!reading.length && reading.rates.empty() && !reading.accept_rate)) continue;
    if (best == nullptr || rank(observed) > rank(*best)) best = &observed;
  }
  return best;
}

}  // namespace

std::optional<KnownAcceptance> acceptance_of(const AcceptanceInput& input, int levels) {
  if (input.length) {
    const std::string range =
        input.length->range ? fmt::format(" ({:.2f} to {:.2f})", input.length->low(), input.length->high())
                            : "";
    return KnownAcceptance{Acceptance::from_length(input.length->value, levels), input.length->origin,
                           sigma_of(*input.length),
                           fmt::format("acceptance length {:.2f}{} ({})", input.length->value, range,
                                       origin_text(input.length->origin, input.length->source))};
  }
  if (input.rate) {
    const Acceptance acceptance = Acceptance::from_rate(input.rate->value);
    double sigma = 0;
    if (input.rate->range) {
      const double low = Acceptance::from_rate(input.rate->low()).tokens(levels);
      const double high = Acceptance::from_rate(input.rate->high()).tokens(levels);
      sigma = std::log(high / low) / (2 * kNinety);
    }
    return KnownAcceptance{acceptance, input.rate->origin, sigma,
                           fmt::format("acceptance rate {:.2f} ({})", input.rate->value,
                                       origin_text(input.rate->origin, input.rate->source))};
  }
  if (input.rates.empty()) return std::nullopt;
  return KnownAcceptance{Acceptance::from_marginals(input.rates), input.rates_origin, 0,
                         rates_text(input.rates, origin_text(input.rates_origin, input.rates_source))};
}

KnownAcceptance published_acceptance(const std::string& name, int levels) {
  const Acceptance acceptance = Acceptance::preset(name);
  return {acceptance, Origin::reported, 0,
          fmt::format("acceptance length {:.2f} (published, {}: a prior, other text and another server)",
                      acceptance.tokens(levels), name)};
}

std::optional<KnownAcceptance> measured_acceptance(const SpecScenario& scenario,
                                                   const std::vector<ObservedReading>& observations,
                                                   int batch) {
  const ObservedReading* const observed = best_reading(observations, batch);
  if (observed == nullptr) return std::nullopt;
  const SpeedReading& reading = observed->reading;
  const int levels = drafts_of(scenario, reading);
  const std::string origin(to_string(observed->origin));
  if (static_cast<int>(reading.rates.size()) == levels) {
    return KnownAcceptance{Acceptance::from_marginals(reading.rates), observed->origin, sigma_of(reading),
                           rates_text(reading.rates, origin)};
  }
  const double length = reading.length.value_or(1 + reading.accept_rate.value_or(0) * levels);
  if (length > levels + 1) {
    throw UsageError(fmt::format("{}: an acceptance length of {:g} needs more than {} drafts (--drafts N)",
                                 reading.source, length, levels));
  }
  return KnownAcceptance{Acceptance::from_length(length, levels), observed->origin, sigma_of(reading),
                         fmt::format("acceptance length {:.2f} ({})", length, origin)};
}

}  // namespace ringside
