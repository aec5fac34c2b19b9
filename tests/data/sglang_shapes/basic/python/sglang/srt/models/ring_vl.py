from sglang.srt.models.ring_moe import RingMoeForCausalLM


class RingVLForConditionalGeneration:
    """Wraps a mixture of experts and hands nothing on."""

    def __init__(self, config):
        self.language_model = RingMoeForCausalLM(config.text_config)


EntryClass = RingVLForConditionalGeneration
