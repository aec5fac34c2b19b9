from sglang.srt.layers.moe.utils import initialize_moe_config
from sglang.srt.managers.tp_worker import TpModelWorker


class Scheduler:
    def __init__(self, server_args, tp_rank):
        self.server_args = server_args
        self.tp_rank = tp_rank
        self.init_moe_config()
        self.init_model_worker()

    def init_moe_config(self):
        if hasattr(self.model_config.hf_config, "num_experts_per_tok"):
            initialize_moe_config(self.server_args)

    def init_model_worker(self):
        self.tp_worker = TpModelWorker(self.server_args, self.tp_rank)
        if self.spec_algorithm.is_none():
            self.draft_worker = None
            return
        self.draft_worker = self.spec_algorithm.create_worker(self.server_args)

    def event_loop_normal(self):
        pass


def run_scheduler_process(server_args, tp_rank):
    scheduler = Scheduler(server_args, tp_rank)
    scheduler.event_loop_normal()
