"""A fair fight: what is timed is what was verified, floors are floors, and numbers beside those of others."""

from .fair_parts import busy, floor, nccl, plants, published

TARGETS = ["ringside", "ringside_unit"]
PARTS = {**plants.PARTS, **floor.PARTS, **published.PARTS, **busy.PARTS, **nccl.PARTS}
ON_DEMAND = list(nccl.PARTS)  # two GPUs and nccl-tests
declare = nccl.declare
