"""A fair fight: what is timed is what was verified, floors are floors, and numbers beside those of others."""

from .fair_parts import busy, floor, plants, published

TARGETS = ["ringside", "ringside_unit"]
PARTS = {**plants.PARTS, **floor.PARTS, **published.PARTS, **busy.PARTS}
ON_DEMAND: list[str] = []
