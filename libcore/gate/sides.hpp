#pragma once

namespace ringside {

// When the two sides of a comparison were measured.
enum class Sides {
  in_turn,  // launch by launch, so that both meet the same state of the machine
  apart     // each at a time of its own
};

}  // namespace ringside
