"""Sizes of the models of the measured rows, as their publishers' config.json say them (keys that sizes depend on)."""

FP8_BLOCK = {"quant_method": "fp8", "weight_block_size": [128, 128]}


def llama(hidden: int, layers: int, heads: int, intermediate: int) -> dict:
    return {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": hidden, "num_hidden_layers": layers,
            "num_attention_heads": heads, "num_key_value_heads": 8, "intermediate_size": intermediate, "vocab_size": 128256,
            "tie_word_embeddings": False, "torch_dtype": "bfloat16"}


def qwen3(hidden: int, layers: int, heads: int, intermediate: int, tied: bool = False) -> dict:
    return {"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "hidden_size": hidden, "num_hidden_layers": layers,
            "num_attention_heads": heads, "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": intermediate,
            "vocab_size": 151936, "tie_word_embeddings": tied, "torch_dtype": "bfloat16"}


def qwen35_27b(quantization: dict | None = None) -> dict:
    kinds = (["linear_attention"] * 3 + ["full_attention"]) * 16
    text = {"model_type": "qwen3_5_text", "hidden_size": 5120, "num_hidden_layers": 64, "layer_types": kinds,
            "full_attention_interval": 4, "attn_output_gate": True, "num_attention_heads": 24, "num_key_value_heads": 4,
            "head_dim": 256, "intermediate_size": 17408, "linear_conv_kernel_dim": 4, "linear_key_head_dim": 128,
            "linear_num_key_heads": 16, "linear_num_value_heads": 48, "linear_value_head_dim": 128,
            "mamba_ssm_dtype": "float32", "mtp_num_hidden_layers": 1, "mtp_use_dedicated_embeddings": False,
            "vocab_size": 248320, "dtype": "bfloat16", "tie_word_embeddings": False}
    return {"architectures": ["Qwen3_5ForConditionalGeneration"], "model_type": "qwen3_5", "text_config": text,
            "tie_word_embeddings": False} | ({"quantization_config": quantization} if quantization else {})


def compressed(bits: int, kind: str, activations: bool = True, ignore: tuple = ("lm_head", "re:.*mtp.*")) -> dict:
    weights = {"num_bits": bits, "type": kind, "symmetric": True}
    if bits == 4:
        weights["group_size"] = 16 if kind == "float" else 32
    inputs = {"num_bits": bits, "type": kind, "dynamic": True} if activations else None
    return {"quant_method": "compressed-tensors", "ignore": list(ignore),
            "config_groups": {"group_0": {"targets": ["Linear"], "weights": weights, "input_activations": inputs}}}


DEEPSEEK_V3 = {"architectures": ["DeepseekV3ForCausalLM"], "model_type": "deepseek_v3", "hidden_size": 7168,
               "num_hidden_layers": 61, "first_k_dense_replace": 3, "intermediate_size": 18432, "kv_lora_rank": 512,
               "q_lora_rank": 1536, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128,
               "num_attention_heads": 128, "num_key_value_heads": 128, "moe_intermediate_size": 2048, "moe_layer_freq": 1,
               "n_routed_experts": 256, "n_shared_experts": 1, "num_experts_per_tok": 8, "num_nextn_predict_layers": 1,
               "vocab_size": 129280, "tie_word_embeddings": False, "torch_dtype": "bfloat16"}
KIMI_K25 = {"architectures": ["KimiK25ForConditionalGeneration"], "model_type": "kimi_k25", "text_config": DEEPSEEK_V3 | {
    "first_k_dense_replace": 1, "n_routed_experts": 384, "num_attention_heads": 64, "num_key_value_heads": 64,
    "num_nextn_predict_layers": 0, "vocab_size": 163840, "quantization_config": compressed(4, "int", False, (
        "lm_head", "re:.*self_attn.*", "re:.*shared_experts.*", "re:.*mlp\\.(gate|up|gate_up|down)_proj.*"))}}
QWEN3_30B = {"architectures": ["Qwen3MoeForCausalLM"], "model_type": "qwen3_moe", "hidden_size": 2048, "num_hidden_layers": 48,
             "num_attention_heads": 32, "num_key_value_heads": 4, "head_dim": 128, "intermediate_size": 6144,
             "moe_intermediate_size": 768, "num_experts": 128, "num_experts_per_tok": 8, "decoder_sparse_step": 1,
             "mlp_only_layers": [], "vocab_size": 151936, "tie_word_embeddings": False, "torch_dtype": "bfloat16"}
GLM_47_FLASH = {"architectures": ["Glm4MoeLiteForCausalLM"], "model_type": "glm4_moe_lite", "hidden_size": 2048,
                "num_hidden_layers": 47, "first_k_dense_replace": 1, "intermediate_size": 10240, "kv_lora_rank": 512,
                "q_lora_rank": 768, "qk_nope_head_dim": 192, "qk_rope_head_dim": 64, "v_head_dim": 256,
                "num_attention_heads": 20, "num_key_value_heads": 20, "moe_intermediate_size": 1536, "n_routed_experts": 64,
                "n_shared_experts": 1, "num_experts_per_tok": 4, "num_nextn_predict_layers": 1, "vocab_size": 154880,
                "tie_word_embeddings": False, "dtype": "bfloat16"}
MINICPM3 = {"architectures": ["MiniCPM3ForCausalLM"], "model_type": "minicpm3", "hidden_size": 2560, "num_hidden_layers": 62,
            "num_attention_heads": 40, "num_key_value_heads": 40, "intermediate_size": 6400, "q_lora_rank": 768,
            "kv_lora_rank": 256, "qk_nope_head_dim": 64, "qk_rope_head_dim": 32, "v_head_dim": 64, "vocab_size": 73448,
            "tie_word_embeddings": True, "torch_dtype": "bfloat16"}
GLM_OCR = {"architectures": ["GlmOcrForConditionalGeneration"], "model_type": "glm_ocr", "text_config": {
    "model_type": "glm_ocr_text", "hidden_size": 1536, "num_hidden_layers": 16, "num_attention_heads": 16,
    "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 4608, "num_nextn_predict_layers": 1, "vocab_size": 59392,
    "tie_word_embeddings": False, "dtype": "bfloat16"}}
MINIMAX_M3 = {"architectures": ["MiniMaxM3ForCausalLM"], "model_type": "minimax_m3", "hidden_size": 6144,
              "num_hidden_layers": 60, "first_k_dense_replace": 3, "moe_layer_freq": [0] * 3 + [1] * 57,
              "num_attention_heads": 64, "num_key_value_heads": 4, "head_dim": 128, "dense_intermediate_size": 12288,
              "intermediate_size": 3072, "moe_intermediate_size": 3072, "shared_intermediate_size": 3072,
              "n_shared_experts": 1, "num_local_experts": 128, "num_experts_per_tok": 4, "num_nextn_predict_layers": 0,
              "sparse_attention_config": {"use_sparse_attention": True, "sparse_attention_freq": [0] * 3 + [1] * 57,
                                          "sparse_block_size": 128, "sparse_topk_blocks": 16, "sparse_index_dim": 128,
                                          "sparse_num_index_heads": 4, "sparse_local_block": 1},
              "vocab_size": 200064, "tie_word_embeddings": False, "torch_dtype": "bfloat16",
              "quantization_config": {"quant_method": "mxfp8"}}
GEMMA4_31B = {"architectures": ["Gemma4ForConditionalGeneration"], "model_type": "gemma4", "text_config": {
    "model_type": "gemma4_text", "hidden_size": 5376, "num_hidden_layers": 60, "num_attention_heads": 32,
    "num_key_value_heads": 16, "num_global_key_value_heads": 4, "head_dim": 256, "global_head_dim": 512,
    "attention_k_eq_v": True, "intermediate_size": 21504, "layer_types": (["sliding_attention"] * 5 + ["full_attention"]) * 10,
    "sliding_window": 1024, "enable_moe_block": False, "num_kv_shared_layers": 0, "hidden_size_per_layer_input": 0,
    "vocab_size": 262144, "tie_word_embeddings": True, "dtype": "bfloat16"}, "tie_word_embeddings": True}
NVFP4 = {"quant_method": "modelopt", "quant_algo": "NVFP4", "kv_cache_scheme": {"num_bits": 8, "type": "float"},
         "ignore": ["lm_head", "*self_attn*", "model.layers.61*"],
         "config_groups": {"group_0": {"targets": ["Linear"], "weights": {"num_bits": 4, "type": "float", "group_size": 16},
                                       "input_activations": {"num_bits": 4, "type": "float", "group_size": 16}}}}

CONFIGS = {
    "llama-3.1-8b": llama(4096, 32, 32, 14336),
    "llama-3.3-70b": llama(8192, 80, 64, 28672),
    "deepseek-v3": DEEPSEEK_V3 | {"quantization_config": FP8_BLOCK},
    "deepseek-r1-nvfp4": DEEPSEEK_V3 | {"quantization_config": NVFP4},
    "kimi-k2.5": KIMI_K25,
    "qwen3-1.7b": qwen3(2048, 28, 16, 6144, tied=True),
    "qwen3-4b": qwen3(2560, 36, 32, 9728, tied=True),
    "qwen3-8b": qwen3(4096, 36, 32, 12288),
    "qwen3-14b": qwen3(5120, 40, 40, 17408),
    "qwen3-32b": qwen3(5120, 64, 64, 25600),
    "qwen3-30b-a3b": QWEN3_30B,
    "qwen3.6-27b-fp8": qwen35_27b(FP8_BLOCK),
    "qwen3.6-27b-int8": qwen35_27b(compressed(8, "int")),
    "qwen3.8-27b-nvfp4": qwen35_27b(compressed(4, "float")),
    "glm-4.7-flash": GLM_47_FLASH,
    "minicpm3-4b": MINICPM3,
    "glm-ocr": GLM_OCR,
    "minimax-m3": MINIMAX_M3,
    "gemma-4-31b": GEMMA4_31B,
}
