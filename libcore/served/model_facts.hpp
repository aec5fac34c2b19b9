#pragma once

#include <string>
#include <vector>

namespace ringside {

enum class AttentionKind { full, sliding, linear, latent };

enum class WeightFormat { fp32, bf16, fp16, fp8, fp8_block, int8, int4, nvfp4, mxfp4 };

// Consecutive or scattered layers of one make.
struct LayerGroup {
  int layers = 0;
  AttentionKind attention = AttentionKind::full;
  int heads = 0;
  int kv_heads = 0;
  int head_size = 0;
  int value_size = 0;
  int window = 0;
  int kv_rank = 0;
  int rope_size = 0;
  int q_rank = 0;
  bool experts = false;
  int routed = 0;
  int per_token = 0;
  int shared = 0;
  int expert_intermediate = 0;
  int shared_intermediate = 0;
  int dense_intermediate = 0;
  WeightFormat attention_format = WeightFormat::bf16;
  WeightFormat expert_format = WeightFormat::bf16;
  WeightFormat dense_format = WeightFormat::bf16;
  double attention_parameters = 0;  // of one layer
  double kv_numbers = 0;            // a token, one layer
  double state_bytes = 0;           // a sequence, one layer
};

struct ModelFacts {
  std::string name;
  std::string architecture;
  int hidden = 0;
  double vocabulary = 0;
  bool tied = false;
  WeightFormat embedding_format = WeightFormat::bf16;
  std::vector<LayerGroup> groups;
  LayerGroup draft;  // MTP; layers 0: none
  double parameters = 0;
  double active_parameters = 0;
  double weight_bytes = 0;
  std::vector<std::string> used;
  std::vector<std::string> not_understood;
  std::vector<std::string> derived;
};

}  // namespace ringside
