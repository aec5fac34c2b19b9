"""A server's arguments in the shape that the source reader knows: fields, handlers and options."""

import argparse
import dataclasses
from typing import Optional


class WarnAction(argparse.Action):
    def __init__(self, option_strings, dest, nargs=0, **kwargs):
        super().__init__(option_strings, dest, nargs=nargs, **kwargs)

    def __call__(self, parser, namespace, values, option_string=None):
        print(f"{option_string} does nothing any more")


class WarnAndStoreAction(WarnAction):
    def __init__(self, option_strings, dest, nargs=0, **kwargs):
        super().__init__(option_strings, dest, nargs=nargs, **kwargs)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, True)


class GoneAction(argparse.Action):
    def __init__(self, option_strings, dest, nargs=0, **kwargs):
        super().__init__(option_strings, dest, nargs=nargs, **kwargs)

    def __call__(self, parser, namespace, values, option_string=None):
        raise ValueError(self.help)


@dataclasses.dataclass
class ServerArgs:
    model_path: str
    tp_size: int = 1
    pp_size: int = 1
    dp_size: int = 1
    ep_size: int = 1
    device: Optional[str] = None
    model_impl: str = "auto"
    is_embedding: bool = False
    moe_a2a_backend: str = "none"
    enable_eplb: bool = False
    enable_two_batch_overlap: bool = False
    ep_dispatch_algorithm: Optional[str] = None
    ep_num_redundant_experts: int = 0
    init_expert_location: str = "trivial"
    expert_distribution_recorder_mode: Optional[str] = None
    disable_cuda_graph: bool = False
    speculative_algorithm: Optional[str] = None
    speculative_draft_model_path: Optional[str] = None

    def __post_init__(self):
        self._handle_a2a()
        self._handle_eplb()

    def _handle_a2a(self):
        if self.moe_a2a_backend == "ring":
            self.ep_size = self.tp_size
            logger.warning(f"the ring makes ep_size {self.tp_size}")

    def _handle_eplb(self):
        if self.enable_eplb and self.expert_distribution_recorder_mode is None:
            self.expert_distribution_recorder_mode = "stat"
        if self.enable_eplb:
            assert self.ep_size > 1

    @staticmethod
    def add_cli_args(parser):
        parser.add_argument("--model-path", "--model", type=str, required=True)
        parser.add_argument("--tp-size", "--tp", type=int, default=ServerArgs.tp_size)
        parser.add_argument("--ep-size", "--ep", type=int, default=ServerArgs.ep_size)
        parser.add_argument("--moe-a2a-backend", choices=["none", "ring", "star"], default=ServerArgs.moe_a2a_backend)
        parser.add_argument("--enable-eplb", action="store_true")
        parser.add_argument("--disable-cuda-graph", action=WarnAndStoreAction)
        parser.add_argument("--enable-old-moe", action=WarnAction)
        parser.add_argument("--enable-ring-moe", action=GoneAction)
        parser.add_argument("--speculative-algorithm", type=str, default=None)
        parser.add_argument("--speculative-draft-model-path", type=str, default=None)
        parser.add_argument("--cuda-graph-bs", type=int, nargs="+")
