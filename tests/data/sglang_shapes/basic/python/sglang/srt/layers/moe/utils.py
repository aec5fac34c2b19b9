from enum import Enum


class MoeA2ABackend(Enum):
    NONE = "none"
    RING = "ring"
    STAR = "star"

    def is_none(self):
        return self == MoeA2ABackend.NONE

    def is_ring(self):
        return self == MoeA2ABackend.RING

    def is_star(self):
        return self == MoeA2ABackend.STAR


def get_moe_a2a_backend():
    return MOE_A2A_BACKEND


def initialize_moe_config(server_args):
    global MOE_A2A_BACKEND
    MOE_A2A_BACKEND = MoeA2ABackend(server_args.moe_a2a_backend)
