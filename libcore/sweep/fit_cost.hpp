#pragma once

#include <optional>
#include <span>
#include <vector>

#include "machine/profile.hpp"
#include "model/document.hpp"

namespace ringside {

// One measured point of a strategy.
struct CostPoint {
  Bytes bytes;
  double time_ns = 0;
};

// alpha, beta and gamma of FittedCost that are nearest to the points in relative error, none of them
// negative. Throws UsageError without points.
FittedCost fit_cost(std::span<const CostPoint> points);

// What a Document's rows of one strategy, collective and mode were fitted to.
struct CostFit {
  FittedCost cost;  // to all sizes
  std::size_t sizes = 0;
  double off_median = 0;  // relative errors at these sizes
  double off_worst = 0;
  // Median relative error at every second size of a fit to the other ones; absent below four sizes.
  std::optional<double> held_out_error;
};

// Each strategy of a measured Document, in its order; entries of the same strategy once. Throws UsageError
// when it has no measured row.
std::vector<CostFit> fit_costs(const Document& document);

// A profile of the machine that the Document was measured on, with the fits to `result`; TOML.
std::string profile_text(const Document& document, const std::vector<CostFit>& fits,
                         const std::string& result);

}  // namespace ringside
