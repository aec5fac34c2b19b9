#pragma once

#include "model/row.hpp"

namespace ringside {

// Statistics and bandwidths of a measured row, from the samples of all its launches.
void update_numbers(Row& row);

}  // namespace ringside
