#pragma once

#include "served/model/model_text.hpp"

namespace ringside {

// Encoders of images and sound beside the text model, with what connects them. One that isn't known is noted
// as a doubt about the weights' bytes and not counted.
Weights encoder_weights(const ModelText& model);

}  // namespace ringside
