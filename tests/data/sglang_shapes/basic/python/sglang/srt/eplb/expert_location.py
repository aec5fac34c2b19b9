import dataclasses


class ExpertLocationMetadata:
    @staticmethod
    def _init_common(server_args, model_config):
        config = ModelConfigForExpertLocation.from_model_config(model_config)
        if config is None:
            return None
        num_physical_experts = config.num_logical_experts + server_args.ep_num_redundant_experts
        ep_size = server_args.ep_size
        assert num_physical_experts % ep_size == 0
        return config


_global_expert_location_metadata = None


def get_global_expert_location_metadata():
    return _global_expert_location_metadata


def set_global_expert_location_metadata(value):
    global _global_expert_location_metadata
    assert _global_expert_location_metadata is None
    _global_expert_location_metadata = value


@dataclasses.dataclass
class ModelConfigForExpertLocation:
    num_layers: int
    num_logical_experts: int

    @staticmethod
    def from_model_config(model_config):
        model_class = model_config.model_class
        if hasattr(model_class, "get_model_config_for_expert_location"):
            return model_class.get_model_config_for_expert_location(model_config)
        else:
            return None


def compute_initial_expert_location_metadata(server_args, model_config):
    return ExpertLocationMetadata._init_common(server_args, model_config)
