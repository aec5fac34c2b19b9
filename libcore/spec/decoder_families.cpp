#include "spec/decoder_families.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/text.hpp"

namespace ringside {
namespace {

// Layers of one attention and one feed-forward part, dense or of experts, two allreduces each.
const std::vector<std::string>& known_architectures() {
  static const std::vector<std::string> names = {
      "ApertusForCausalLM",
      "BaichuanForCausalLM",
      "BailingMoeForCausalLM",
      "BailingMoeV2ForCausalLM",
      "DeepseekForCausalLM",
      "DeepseekV2ForCausalLM",
      "DeepseekV3ForCausalLM",
      "DeepseekV32ForCausalLM",
      "DeepseekVL2ForCausalLM",
      "Dots1ForCausalLM",
      "Ernie4_5ForCausalLM",
      "Ernie4_5_MoeForCausalLM",
      "Exaone4ForCausalLM",
      "ExaoneForCausalLM",
      "Gemma2ForCausalLM",
      "Gemma3ForCausalLM",
      "Gemma3ForConditionalGeneration",
      "GemmaForCausalLM",
      "Glm4ForCausalLM",
      "Glm4MoeForCausalLM",
      "Glm4vMoeForConditionalGeneration",
      "GPT2LMHeadModel",
      "GptOssForCausalLM",
      "GraniteForCausalLM",
      "GraniteMoeForCausalLM",
      "Grok1ForCausalLM",
      "HunYuanDenseV1ForCausalLM",
      "HunYuanMoEV1ForCausalLM",
      "InternLM2ForCausalLM",
      "InternLM3ForCausalLM",
      "KimiK25ForConditionalGeneration",
      "KimiVLForConditionalGeneration",
      "Llama4ForCausalLM",
      "Llama4ForConditionalGeneration",
      "LlamaForCausalLM",
      "LlamaForCausalLMEagle3",
      "MiMoForCausalLM",
      "MiniMaxM2ForCausalLM",
      "MistralForCausalLM",
      "Mistral3ForConditionalGeneration",
      "MixtralForCausalLM",
      "NemotronForCausalLM",
      "Olmo2ForCausalLM",
      "OlmoForCausalLM",
      "OlmoeForCausalLM",
      "Phi3ForCausalLM",
      "PhiMoEForCausalLM",
      "Qwen2ForCausalLM",
      "Qwen2MoeForCausalLM",
      "Qwen2_5_VLForConditionalGeneration",
      "Qwen3ForCausalLM",
      "Qwen3MoeForCausalLM",
      "Qwen3NextForCausalLM",
      "Qwen3VLForConditionalGeneration",
      "Qwen3VLMoeForConditionalGeneration",
      "SeedOssForCausalLM",
      "StableLmForCausalLM",
      "Starcoder2ForCausalLM",
      "Step3p5ForCausalLM",
  };
  return names;
}

// "LlamaForCausalLM" -> "Llama"
std::string family(const std::string& name) {
  for (const std::string_view ending : {"ForCausalLM", "ForConditionalGeneration"}) {
    if (name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
  }
  return name;
}

}  // namespace

Architecture classify_architecture(const std::string& name) {
  if (std::ranges::find(known_architectures(), name) != known_architectures().end())
    return Architecture::known;
  const bool generates = name.find("ForCausalLM") != std::string::npos ||
                         name.ends_with("ForConditionalGeneration") || name.ends_with("LMHeadModel");
  return generates ? Architecture::decoder : Architecture::other;
}

// Half of a name is the same in all of them, which would make any two look alike.
std::string nearest_architecture(const std::string& name) {
  std::vector<std::string> alike;
  for (const std::string& known : known_architectures()) {
    const std::vector<std::string> stem = {family(known)};
    if (family(name) == name || !nearest_name(family(name), stem).empty()) alike.push_back(known);
  }
  return did_you_mean(name, alike);
}

}  // namespace ringside
