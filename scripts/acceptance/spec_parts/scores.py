"""Scores over experiments: each counts as one, however many rows it has."""

import collections
import dataclasses
import math
from typing import Callable, Iterable, Sequence


@dataclasses.dataclass(frozen=True)
class Scored:
    """A value of one row of an experiment."""

    box: str
    value: float
    name: str = ""


def weights(values: Sequence[Scored]) -> list[float]:
    rows = collections.Counter(item.box for item in values)
    return [1 / rows[item.box] for item in values]


def quantile(values: Sequence[Scored], share: float) -> float:
    """The smallest value that so much of the weight lies at or below; infinite where there are none."""
    left = share * len({item.box for item in values})
    for value, weight in sorted((item.value, weight) for item, weight in zip(values, weights(values))):
        left -= weight
        if left <= 1e-9:
            return value
    return math.inf


def mean(values: Sequence[Scored]) -> float:
    boxes = len({item.box for item in values})
    return sum(item.value * weight for item, weight in zip(values, weights(values))) / boxes if boxes else math.inf


def share(values: Sequence[Scored]) -> float:
    """In percent, of values that are 0 or 1; none of nothing."""
    return 100 * mean(values) if values else 0.0


def worst(values: Sequence[Scored]) -> Scored:
    return max(values, key=lambda item: item.value, default=Scored("", math.inf))


def interval_score(low: float, high: float, truth: float, outside: float = 0.1) -> float:
    """Width of an interval that should miss `outside` of all, and what it misses by; in logarithms."""
    a, b, x = math.log(low), math.log(high), math.log(truth)
    return b - a + 2 / outside * (max(0.0, a - x) + max(0.0, x - b))


def off(predicted: float, truth: float) -> float:
    """In percent of the truth."""
    return 100 * abs(predicted / truth - 1)


def scored(rows: Iterable, value: Callable, name: Callable = lambda row: "") -> list[Scored]:
    return [Scored(row.box, value(row), name(row)) for row in rows]
