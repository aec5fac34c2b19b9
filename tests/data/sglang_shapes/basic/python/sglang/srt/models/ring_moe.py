from sglang.srt.eplb.expert_location import ModelConfigForExpertLocation
from sglang.srt.eplb.expert_location_dispatch import ExpertLocationDispatchInfo
from sglang.srt.layers.moe.utils import get_moe_a2a_backend


class RingMoeBlock:
    def __init__(self, config, layer_id):
        self.layer_id = layer_id
        self._enable_a2a = get_moe_a2a_backend().is_ring() or get_moe_a2a_backend().is_star()

    def forward(self, hidden_states):
        if not self._enable_a2a:
            return self.forward_normal(hidden_states)
        return self.forward_a2a(hidden_states)

    def forward_normal(self, hidden_states):
        return hidden_states

    def forward_a2a(self, hidden_states):
        if hidden_states.shape[0] > 0:
            info = ExpertLocationDispatchInfo.init_new(layer_id=self.layer_id)
        return hidden_states


class RingMoeForCausalLM:
    def __init__(self, config):
        self.block = RingMoeBlock(config, 0)

    def set_eagle3_layers_to_capture(self, layer_ids=None):
        pass

    @classmethod
    def get_model_config_for_expert_location(cls, config):
        return ModelConfigForExpertLocation(num_layers=config.num_hidden_layers, num_logical_experts=config.num_experts)


class RingMoeChildForCausalLM(RingMoeForCausalLM):
    pass


EntryClass = [RingMoeForCausalLM, RingMoeChildForCausalLM]
