#pragma once

#include <map>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "served/model/config_tree.hpp"
#include "served/model_facts.hpp"

namespace ringside {

// How a matrix is stored.
struct StoredAs {
  WeightFormat format = WeightFormat::bf16;
  double bytes = 2;  // of a number, with its share of the scales
};

// A matrix by the names that weight files give it within a layer: "self_attn.q_proj". Families name the same
// matrix differently, so there may be several names, with '|' between them.
struct MatrixName {
  std::string_view names;
  int layer = -1;  // from 0; of an MTP layer the number that follows the model's last; -1: outside of layers
  int draft = -1;  // of an MTP layer its own number, from 0
};

// The lists of module names in descriptions of quantisations, with what each says. An entry is a name
// ("model.layers.0.self_attn", all below it meant too), a part of one ("gate"), a name with '*', or "re:" and
// a regular expression.
class NameRules {
 public:
  // Notes a doubt for an expression that isn't read: longer than 200 letters, with repeated groups, counts or
  // back references (matching those may take for ever), or one of too many.
  void add(const std::string& entry, const StoredAs& stored, ReadingNotes& notes);

  std::optional<StoredAs> find(const MatrixName& name) const;
  bool empty() const { return exact_.empty() && patterns_.empty() && of_layer_.empty(); }

 private:
  struct Pattern {
    std::string text;  // empty where it is an expression
    std::optional<std::regex> expression;
    bool has_digits = false;  // so it may hold for some layers only
    StoredAs stored;
  };

  void add_expression(const std::string& text, const StoredAs& stored, ReadingNotes& notes);
  std::optional<StoredAs> match(const MatrixName& name, bool with_digits) const;

  std::map<std::string, StoredAs, std::less<>> exact_;  // "layers.3.mlp"
  std::vector<Pattern> patterns_;
  std::map<int, std::vector<Pattern>> of_layer_;  // that begin with a layer's number
  int expressions_ = 0;
  mutable std::map<std::string, std::optional<StoredAs>, std::less<>> found_;  // by names, without digits
};

}  // namespace ringside
