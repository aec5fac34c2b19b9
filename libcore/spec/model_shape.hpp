#pragma once

#include "served/model_facts.hpp"
#include "spec/scenario.hpp"

namespace ringside {

// The facts of a scenario's [model]: one group of layers with experts, one without.
ModelFacts facts_of(const ModelShape& shape);

// What a scenario's [model] can say of a model that was read from its own files.
ModelShape shape_of(const ModelFacts& facts);

// Whether nothing is lost by shape_of(): layers of one kind of attention, experts of one size, no draft of
// its own, weight formats that two numbers of bits stand for.
bool fits_shape(const ModelFacts& facts);

// Allreduces of a forward pass under tensor parallelism: one behind each attention and one behind each
// feed-forward part.
int allreduces_of(const ModelFacts& facts);

}  // namespace ringside
