from sglang.srt.model_executor.model_runner import ModelRunner


class TpModelWorker:
    def __init__(self, server_args, tp_rank, is_draft_worker=False):
        self.model_runner = ModelRunner(server_args, tp_rank, is_draft_worker=is_draft_worker)
