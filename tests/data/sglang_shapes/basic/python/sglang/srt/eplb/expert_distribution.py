class ExpertDistributionRecorder:
    @staticmethod
    def init_new(server_args, expert_location_metadata, rank):
        if server_args.expert_distribution_recorder_mode is not None:
            assert (
                expert_location_metadata is not None
            ), "ExpertLocationMetadata is required for expert distribution recording. One possible"
            return "real"
        return "noop"


def set_global_expert_distribution_recorder(value):
    pass
