#pragma once

#include "served/model/model_text.hpp"

namespace ringside {

// Notes a doubt for every key that was not used, isn't known to be harmless and, by its name and value, may
// change memory or work.
void doubt_unread_keys(const ModelText& model);

}  // namespace ringside
