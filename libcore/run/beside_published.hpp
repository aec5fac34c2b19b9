#pragma once

#include "model/document.hpp"

namespace ringside {

// How many times a published time is worth a finding.
inline constexpr double kFarFromPublished = 1.5;

// Sets the rows of nccl-auto (NCCL as it comes: what was published) beside the published times of as many
// GPUs of the same model, as Document::published, with a finding "slower-than-published" beyond
// kFarFromPublished. Only what is comparable: measured times of an allreduce of 2-byte elements in the mode
// of the tables, on GPUs that all have one name of the tables, with warm inputs and not slowed down on
// purpose. Where nothing is, nothing is added.
void set_beside_published(Document& document);

}  // namespace ringside
