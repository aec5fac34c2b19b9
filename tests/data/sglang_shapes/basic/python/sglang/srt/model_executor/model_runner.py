from sglang.srt.eplb.expert_distribution import (
    ExpertDistributionRecorder,
    set_global_expert_distribution_recorder,
)
from sglang.srt.eplb.expert_location import (
    compute_initial_expert_location_metadata,
    get_global_expert_location_metadata,
    set_global_expert_location_metadata,
)
from sglang.srt.model_executor.cuda_graph_runner import CudaGraphRunner


class ModelRunner:
    def __init__(self, server_args, tp_rank, is_draft_worker=False):
        self.server_args = server_args
        self.tp_rank = tp_rank
        self.is_draft_worker = is_draft_worker
        self.device = server_args.device
        self.initialize()

    def initialize(self):
        if not self.is_draft_worker:
            set_global_expert_location_metadata(
                compute_initial_expert_location_metadata(self.server_args, self.model_config)
            )
            set_global_expert_distribution_recorder(
                ExpertDistributionRecorder.init_new(
                    self.server_args, get_global_expert_location_metadata(), rank=self.tp_rank
                )
            )
        self.load_model()
        self.init_memory_pool()
        self.init_device_graphs()

    def load_model(self):
        pass

    def init_memory_pool(self):
        pass

    def init_device_graphs(self):
        if self.server_args.disable_cuda_graph:
            return
        self.graph_runner = CudaGraphRunner(self)
