#pragma once

#include "model/spec_result.hpp"
#include "spec/estimate/posterior.hpp"
#include "spec/inquiry.hpp"
#include "spec/speed_estimate.hpp"

namespace ringside {

inline constexpr int kMostDrafts = 8;  // of a chain that the table looks at: as far as published curves go

// Fills estimate.table: drafts x batch x context, with the number to take at each batch; a pair of measured
// speeds stands in the place of the model's ratio. Also estimate.crossover and estimate.paste.
void fill_table(const Inquiry& inquiry, const Posterior& posterior, const ModelFit& fit,
                SpecEstimate& estimate);

}  // namespace ringside
