"""Asks for the metadata, as every MoE layer does."""

from sglang.srt.eplb.expert_location import get_global_expert_location_metadata


class ExpertLocationDispatchInfo:
    @classmethod
    def init_new(cls, layer_id):
        expert_location_metadata = get_global_expert_location_metadata()
        assert expert_location_metadata is not None
        return cls()
