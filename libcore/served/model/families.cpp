#include "served/model/families.hpp"

#include <algorithm>
#include <string_view>

#include "base/text.hpp"

namespace ringside {
namespace {

// Gated feed-forward parts, two norms, untied: Llama and what follows its code.
std::vector<ModelFamily> plain_families() {
  return {
      {.name = "llama", .architectures = {"LlamaForCausalLM", "LLaMAForCausalLM"}, .model_types = {"llama"}},
      {.name = "mistral",
       .architectures = {"MistralForCausalLM", "Mistral3ForConditionalGeneration"},
       .model_types = {"mistral", "ministral3"},
       .window = WindowRule::all},
      {.name = "granite", .architectures = {"GraniteForCausalLM"}, .model_types = {"granite"}},
      {.name = "internlm2", .architectures = {"InternLM2ForCausalLM"}, .model_types = {"internlm2"}},
      {.name = "internlm3", .architectures = {"InternLM3ForCausalLM"}, .model_types = {"internlm3"}},
      {.name = "baichuan",
       .architectures = {"BaichuanForCausalLM", "BaiChuanForCausalLM"},
       .model_types = {"baichuan"}},
      {.name = "exaone", .architectures = {"ExaoneForCausalLM"}, .model_types = {"exaone"}},
      {.name = "exaone4",
       .architectures = {"Exaone4ForCausalLM"},
       .model_types = {"exaone4"},
       .window = WindowRule::pattern},
      {.name = "olmo", .architectures = {"OlmoForCausalLM"}, .model_types = {"olmo"}, .norms = 0},
      {.name = "olmo2",
       .architectures = {"Olmo2ForCausalLM", "Olmo3ForCausalLM"},
       .model_types = {"olmo2", "olmo3"}},
      {.name = "phi3",
       .architectures = {"Phi3ForCausalLM"},
       .model_types = {"phi3"},
       .window = WindowRule::all},
      {.name = "seed_oss",
       .architectures = {"SeedOssForCausalLM"},
       .model_types = {"seed_oss"},
       .attention_bias = true},
      {.name = "smollm3", .architectures = {"SmolLM3ForCausalLM"}, .model_types = {"smollm3"}, .tied = true},
      {.name = "stablelm",
       .architectures = {"StableLmForCausalLM"},
       .model_types = {"stablelm"},
       .norm_bias = true},
      {.name = "hunyuan",
       .architectures = {"HunYuanDenseV1ForCausalLM", "HunYuanMoEV1ForCausalLM"},
       .model_types = {"hunyuan_v1_dense", "hunyuan_v1_moe"},
       .expert_is_intermediate = true},
      {.name = "ernie4_5",
       .architectures = {"Ernie4_5ForCausalLM"},
       .model_types = {"ernie4_5"},
       .tied = true},
      {.name = "pangu", .architectures = {"PanguEmbeddedForCausalLM"}, .model_types = {"PanguEmbedded"}},
      {.name = "mimo", .architectures = {"MiMoForCausalLM"}, .model_types = {"mimo"}, .attention_bias = true},
      {.name = "glm4", .architectures = {"Glm4ForCausalLM"}, .model_types = {"glm4"}, .norms = 4},
      {.name = "apertus",
       .architectures = {"ApertusForCausalLM"},
       .model_types = {"apertus"},
       .gated = false},
      {.name = "nemotron",
       .architectures = {"NemotronForCausalLM"},
       .model_types = {"nemotron"},
       .gated = false,
       .norm_bias = true},
      {.name = "nemotron-nas", .architectures = {"DeciLMForCausalLM"}, .model_types = {"nemotron-nas"}},
  };
}

std::vector<ModelFamily> qwen_families() {
  return {
      {.name = "qwen", .architectures = {"QWenLMHeadModel"}, .model_types = {"qwen"}, .attention_bias = true},
      {.name = "qwen2",
       .architectures = {"Qwen2ForCausalLM", "Qwen2VLForConditionalGeneration",
                         "Qwen2_5_VLForConditionalGeneration"},
       .model_types = {"qwen2", "qwen2_vl", "qwen2_vl_text", "qwen2_5_vl", "qwen2_5_vl_text"},
       .attention_bias = true,
       .window = WindowRule::from_layer},
      {.name = "qwen2_moe",
       .architectures = {"Qwen2MoeForCausalLM"},
       .model_types = {"qwen2_moe"},
       .attention_bias = true,
       .window = WindowRule::from_layer,
       .shared_gate = true},
      {.name = "qwen3",
       .architectures = {"Qwen3ForCausalLM", "Qwen3MoeForCausalLM", "Qwen3VLForConditionalGeneration",
                         "Qwen3VLMoeForConditionalGeneration"},
       .model_types = {"qwen3", "qwen3_moe", "qwen3_vl", "qwen3_vl_text", "qwen3_vl_moe",
                       "qwen3_vl_moe_text"},
       .window = WindowRule::from_layer},
      {.name = "qwen3_next",
       .architectures = {"Qwen3NextForCausalLM", "Qwen3_5ForConditionalGeneration", "Qwen3_5ForCausalLM",
                         "Qwen3_5MoeForConditionalGeneration", "Qwen3_5MoeForCausalLM"},
       .model_types = {"qwen3_next", "qwen3_5", "qwen3_5_text", "qwen3_5_moe", "qwen3_5_moe_text"},
       .shared_gate = true,
       .query_gate = true},
  };
}

std::vector<ModelFamily> expert_families() {
  return {
      {.name = "mixtral",
       .architectures = {"MixtralForCausalLM"},
       .model_types = {"mixtral"},
       .window = WindowRule::all,
       .expert_is_intermediate = true},
      {.name = "deepseek",
       .architectures = {"DeepseekForCausalLM", "DeepseekV2ForCausalLM", "DeepseekVL2ForCausalLM",
                         "DeepseekVLV2ForCausalLM", "DeepseekOCRForCausalLM", "DeepseekOCR2ForCausalLM",
                         "KimiVLForConditionalGeneration"},
       .model_types = {"deepseek", "deepseek_v2"}},
      {.name = "deepseek_v3",
       .architectures = {"DeepseekV3ForCausalLM", "DeepseekV32ForCausalLM", "KimiK25ForConditionalGeneration",
                         "GlmMoeDsaForCausalLM"},
       .model_types = {"deepseek_v3", "deepseek_v32", "kimi_k2", "kimi_k25", "glm_moe_dsa"},
       .draft = DraftFiles::layers_with_vocabulary},
      {.name = "deepseek_v4", .architectures = {"DeepseekV4ForCausalLM"}, .model_types = {"deepseek_v4"}},
      {.name = "glm4_moe",
       .architectures = {"Glm4MoeForCausalLM", "Glm4vMoeForConditionalGeneration", "Glm4MoeLiteForCausalLM"},
       .model_types = {"glm4_moe", "glm4v_moe", "glm4v_moe_text", "glm4_moe_lite"},
       .draft = DraftFiles::layers_with_vocabulary},
      {.name = "kimi_linear", .architectures = {"KimiLinearForCausalLM"}, .model_types = {"kimi_linear"}},
      {.name = "minimax_m2",
       .architectures = {"MiniMaxM2ForCausalLM"},
       .model_types = {"minimax_m2"},
       .expert_is_intermediate = true,
       .draft = DraftFiles::none},
      {.name = "minimax_m3",
       .architectures = {"MiniMaxM3ForCausalLM", "MiniMaxM3SparseForConditionalGeneration"},
       .model_types = {"minimax_m3"},
       .expert_is_intermediate = true},
      {.name = "gpt_oss",
       .architectures = {"GptOssForCausalLM"},
       .model_types = {"gpt_oss"},
       .attention_bias = true,
       .output_bias = true,
       .expert_bias = true,
       .window = WindowRule::first_of_two,
       .expert_is_intermediate = true},
      {.name = "llama4",
       .architectures = {"Llama4ForCausalLM", "Llama4ForConditionalGeneration"},
       .model_types = {"llama4", "llama4_text"},
       .expert_is_intermediate = true,
       .one_shared_expert = true},
      {.name = "olmoe",
       .architectures = {"OlmoeForCausalLM"},
       .model_types = {"olmoe"},
       .expert_is_intermediate = true},
      {.name = "granitemoe",
       .architectures = {"GraniteMoeForCausalLM", "GraniteMoeSharedForCausalLM",
                         "GraniteMoeHybridForCausalLM"},
       .model_types = {"granitemoe", "granitemoeshared", "granitemoehybrid"},
       .tied = true,
       .expert_is_intermediate = true},
      {.name = "phimoe",
       .architectures = {"PhiMoEForCausalLM", "PhimoeForCausalLM"},
       .model_types = {"phimoe"},
       .attention_bias = true,
       .norm_bias = true,
       .window = WindowRule::all,
       .expert_is_intermediate = true},
      {.name = "ernie4_5_moe",
       .architectures = {"Ernie4_5_MoeForCausalLM", "Ernie4_5_VLMoeForConditionalGeneration"},
       .model_types = {"ernie4_5_moe"},
       .tied = true},
      {.name = "dots1", .architectures = {"Dots1ForCausalLM"}, .model_types = {"dots1"}},
      {.name = "bailing_moe",
       .architectures = {"BailingMoeForCausalLM", "BailingMoeV2ForCausalLM"},
       .model_types = {"bailing_moe", "bailing_moe_v2"}},
      {.name = "step3p5",
       .architectures = {"Step3p5ForCausalLM", "Step3p7FlashForCausalLM"},
       .model_types = {"step3p5", "step3p7"},
       .draft = DraftFiles::layers_with_vocabulary,
       .draft_windowed = true},
      {.name = "mimo_v2",
       .architectures = {"MiMoV2FlashForCausalLM"},
       .model_types = {"mimo_v2_flash"},
       .draft_windowed = true},
      {.name = "nemotron_h",
       .architectures = {"NemotronHForCausalLM"},
       .model_types = {"nemotron_h"},
       .gated = false,
       .norms = 1},
      {.name = "grok", .architectures = {"Grok1ForCausalLM"}, .model_types = {"grok-1"}, .norms = 4},
  };
}

// Tied unless a key says otherwise.
std::vector<ModelFamily> tied_families() {
  return {
      {.name = "gemma", .architectures = {"GemmaForCausalLM"}, .model_types = {"gemma"}, .tied = true},
      {.name = "gemma2",
       .architectures = {"Gemma2ForCausalLM"},
       .model_types = {"gemma2"},
       .tied = true,
       .norms = 4,
       .window = WindowRule::first_of_two},
      {.name = "gemma3",
       .architectures = {"Gemma3ForCausalLM", "Gemma3ForConditionalGeneration"},
       .model_types = {"gemma3", "gemma3_text"},
       .tied = true,
       .norms = 4,
       .window = WindowRule::pattern},
      {.name = "gemma4",
       .architectures = {"Gemma4ForCausalLM", "Gemma4ForConditionalGeneration"},
       .model_types = {"gemma4", "gemma4_text"},
       .tied = true,
       .norms = 4,
       .dense_beside_experts = true,
       .routed_names = "experts.gate_up_proj|moe.experts.0.up_proj"},
      {.name = "cohere",
       .architectures = {"CohereForCausalLM"},
       .model_types = {"cohere"},
       .tied = true,
       .norms = 1},
      {.name = "cohere2",
       .architectures = {"Cohere2ForCausalLM"},
       .model_types = {"cohere2"},
       .tied = true,
       .norms = 1,
       .window = WindowRule::pattern},
      {.name = "gpt2",
       .architectures = {"GPT2LMHeadModel"},
       .model_types = {"gpt2"},
       .tied = true,
       .gated = false,
       .attention_bias = true,
       .output_bias = true,
       .norm_bias = true,
       .positions = true},
      {.name = "gpt_neox",
       .architectures = {"GPTNeoXForCausalLM"},
       .model_types = {"gpt_neox"},
       .gated = false,
       .attention_bias = true,
       .output_bias = true,
       .norm_bias = true},
      {.name = "bloom",
       .architectures = {"BloomForCausalLM"},
       .model_types = {"bloom"},
       .tied = true,
       .gated = false,
       .attention_bias = true,
       .output_bias = true,
       .norm_bias = true},
      {.name = "falcon",
       .architectures = {"FalconForCausalLM"},
       .model_types = {"falcon"},
       .tied = true,
       .gated = false,
       .norm_bias = true},
      {.name = "starcoder2",
       .architectures = {"Starcoder2ForCausalLM"},
       .model_types = {"starcoder2"},
       .tied = true,
       .gated = false,
       .attention_bias = true,
       .output_bias = true,
       .norm_bias = true,
       .window = WindowRule::all},
  };
}

const std::vector<ModelFamily>& families() {
  static const std::vector<ModelFamily> all = [] {
    std::vector<ModelFamily> list = plain_families();
    for (const auto& more : {qwen_families(), expert_families(), tied_families()})
      list.insert(list.end(), more.begin(), more.end());
    return list;
  }();
  return all;
}

const ModelFamily* find_by(std::vector<std::string> ModelFamily::*names, const std::string& name) {
  if (name.empty()) return nullptr;
  for (const ModelFamily& family : families())
    if (std::ranges::find(family.*names, name) != (family.*names).end()) return &family;
  return nullptr;
}

// "LlamaForCausalLM" -> "Llama"
std::string stem(const std::string& name) {
  for (const std::string_view ending : {"ForCausalLM", "ForConditionalGeneration"})
    if (name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
  return name;
}

}  // namespace

const ModelFamily* find_family_of_architecture(const std::string& architecture) {
  return find_by(&ModelFamily::architectures, architecture);
}

const ModelFamily* find_family_of_type(const std::string& model_type) {
  return find_by(&ModelFamily::model_types, model_type);
}

const ModelFamily* find_family(const std::string& architecture, const std::string& model_type) {
  const ModelFamily* family = find_family_of_architecture(architecture);
  return family != nullptr ? family : find_family_of_type(model_type);
}

bool is_draft_architecture(const std::string& architecture) {
  return architecture.find("Eagle") != std::string::npos || architecture.find("EAGLE") != std::string::npos;
}

bool is_decoder_name(const std::string& architecture) {
  return architecture.find("ForCausalLM") != std::string::npos ||
         architecture.ends_with("ForConditionalGeneration") || architecture.ends_with("LMHeadModel");
}

// Half of a name is the same in all of them, which would make any two look alike.
std::string nearest_architecture(const std::string& name) {
  std::vector<std::string> alike;
  for (const ModelFamily& family : families()) {
    for (const std::string& known : family.architectures) {
      const std::vector<std::string> stems = {stem(known)};
      if (stem(name) == name || !nearest_name(stem(name), stems).empty()) alike.push_back(known);
    }
  }
  return did_you_mean(name, alike);
}

}  // namespace ringside
