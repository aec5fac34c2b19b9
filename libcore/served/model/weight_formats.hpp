#pragma once

#include <optional>
#include <string>

#include "served/model/config_tree.hpp"
#include "served/model/name_rules.hpp"

namespace ringside {

// What the description of a quantisation says of each matrix: quantization_config of a config.json (methods
// of transformers, compressed-tensors, ModelOpt), MLX's `quantization`, or hf_quant_config.json.
class Quantization {
 public:
  // `unquantized`: the type of everything else.
  explicit Quantization(const StoredAs& unquantized) : unquantized_(unquantized) {}

  // What can't be read is noted as a doubt, and its matrices count as unquantised.
  void read(const ConfigLevel& level);
  void read_mlx(const ConfigLevel& level);
  // Routed experts that a key of the model itself (expert_dtype) gives a format.
  void set_experts(const StoredAs& stored) { experts_ = stored; }

  StoredAs matrix(const MatrixName& name) const;  // of a layer
  StoredAs routed_expert(const MatrixName& name) const;
  StoredAs embedding() const;
  StoredAs head() const;
  StoredAs unquantized() const { return unquantized_; }
  std::optional<double> kv_number_bytes() const { return kv_bytes_; }  // nothing: not said
  bool quantised() const { return default_.has_value() || !rules_.empty() || experts_.has_value(); }

 private:
  void read_method(const ConfigLevel& level, const std::string& method);
  void read_groups(const ConfigLevel& level);
  void read_algorithm(const ConfigLevel& level, const std::string& algorithm);
  void read_layers(const ConfigLevel& level);
  void read_excluded(const ConfigLevel& level);
  void read_kv(const ConfigLevel& level);
  std::optional<StoredAs> find(const MatrixName& name) const;

  StoredAs unquantized_;
  std::optional<StoredAs> default_;  // of matrices in layers that no rule names
  std::optional<StoredAs> experts_;
  bool only_experts_ = false;  // the default is for routed experts
  bool vocabulary_ = false;    // and for embedding and head (MLX)
  NameRules rules_;
  NameRules excluded_;
  std::optional<double> kv_bytes_;
};

// The type that a configuration names ("bfloat16"); nothing for a name that isn't known.
std::optional<StoredAs> stored_type(const std::string& name);

}  // namespace ringside
