#pragma once

#include <string>

#include "served/model/config_tree.hpp"
#include "served/model/families.hpp"
#include "served/model/weight_formats.hpp"
#include "served/model_facts.hpp"

namespace ringside {

// What the parts of the reader share: the level of the configuration that describes the text model, the
// family whose code completes it, and how its weights are stored.
struct ModelText {
  ConfigLevel outer;
  ConfigLevel inner;   // text_config and its like; the outer one where there is none
  ModelFamily family;  // without a name: none that is known
  Quantization quantization;
  double hidden = 0;
  int layers = 0;

  ReadingNotes& notes() const { return inner.notes(); }
  bool known() const { return !family.name.empty(); }
  // Bytes as they are where nothing is quantised: norms, biases, routers.
  Weights plain(double parameters) const;
  // A matrix of so many numbers.
  Weights matrix(const MatrixName& name, double parameters) const;
};

// So many numbers stored in one way.
Weights weights_of(double parameters, const StoredAs& stored);

}  // namespace ringside
