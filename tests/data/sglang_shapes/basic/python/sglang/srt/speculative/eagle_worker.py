from sglang.srt.managers.tp_worker import TpModelWorker


class EAGLEWorker(TpModelWorker):
    def __init__(self, server_args, tp_rank, target_worker):
        super().__init__(server_args=server_args, tp_rank=tp_rank, is_draft_worker=True)
