"""What run-spec says of each published row: with nothing observed, with its plain speed, and with a point beside it."""

import dataclasses
import functools
import itertools
import math
from typing import Iterable

from .question import Asking, plain, question, speculative
from .rows import Row, judged

SITUATIONS = {"nothing": "nothing observed", "plain": "plain observed", "drafts": "plain and other drafts observed",
              "double": "plain and half or double the batch observed", "far": "plain and a farther batch observed",
              "both": "both speeds observed"}


@dataclasses.dataclass(frozen=True)
class Prediction:
    situation: str  # a key of SITUATIONS
    row: Row
    observed: Row | None  # the point beside it
    question: tuple[str, ...]
    estimate: dict | None

    @property
    def box(self) -> str:
        return self.row.box

    @property
    def truth(self) -> float:
        return self.row.truth

    @property
    def main(self) -> dict | None:
        """Median, low and high of the main component."""
        return self.estimate and self.estimate["speedup"]

    @property
    def slow(self) -> dict | None:
        path = self.estimate and self.estimate["slow_path"]
        return path and path["speedup"]

    @property
    def pays(self) -> float | None:
        return self.estimate and self.estimate["pays"]

    @property
    def firm(self) -> bool:
        return bool(self.estimate) and self.estimate["certainty"] == "firm"

    def error(self) -> float:
        """In percent; infinite where nothing was predicted."""
        return 100 * abs(self.main["median"] / self.truth - 1) if self.main else math.inf

    def inside(self, *, slow: bool = False) -> bool:
        ranges = [self.main, self.slow if slow else None]
        return any(r["low"] <= self.truth <= r["high"] for r in ranges if r)

    def wrongly_firm(self) -> bool:
        return self.firm and (self.estimate["verdict"] == "pays") != (self.truth > 1)

    def name(self) -> str:
        beside = self.observed and (f" from {self.observed.steps} drafts at batch {self.observed.batch}")
        return f"{self.box}, {self.row.method} {self.row.steps} drafts at batch {self.row.batch}{beside or ''}"


def beside(rows: list[Row], situation: str) -> list[tuple[Row, Row]]:
    """Pairs of an observed and a judged point of one experiment."""
    pairs = []
    for seen, judged_row in itertools.permutations(rows, 2):
        alike = (seen.box, seen.method, seen.tree) == (judged_row.box, judged_row.method, judged_row.tree)
        if not alike or seen.length is None or judged_row.length is None:
            continue
        place = (seen.batch, seen.context, seen.plain)
        drafts = (seen.steps, seen.top_k, seen.candidates)
        same_place = place == (judged_row.batch, judged_row.context, judged_row.plain)
        same_drafts = drafts == (judged_row.steps, judged_row.top_k, judged_row.candidates)
        ratio = max(seen.batch, judged_row.batch) / min(seen.batch, judged_row.batch)
        if {"drafts": same_place and seen.steps != judged_row.steps and not seen.tree,
                "double": same_drafts and ratio == 2,
                "far": same_drafts and ratio > 2}[situation]:
            pairs.append((seen, judged_row))
    return pairs


def asked(asking: Asking, situation: str) -> list[tuple[Row, Row | None, tuple[str, ...]]]:
    rows = judged()
    if situation == "nothing":
        return [(row, None, question(asking, row)) for row in rows]
    if situation == "plain":
        return [(row, None, question(asking, row, plain(row))) for row in rows]
    if situation == "both":
        return [(row, None, question(asking, row, plain(row), speculative(row), known=False))
                for row in rows if row.length is not None]
    return [(row, seen, question(asking, row, plain(seen), *([plain(row)] if row.batch != seen.batch else []), speculative(seen)))
            for seen, row in beside(rows, situation)]


@functools.lru_cache(maxsize=None)
def predictions(asking: Asking, situation: str) -> tuple[Prediction, ...]:
    questions = asked(asking, situation)
    asking.all([words for _row, _seen, words in questions])
    return tuple(Prediction(situation, row, seen, words, asking.estimate(words)) for row, seen, words in questions)


def table(asking: Asking, situations: Iterable[str]) -> str:
    """One line for each prediction, to see which rows fail."""
    lines = ["\t".join(("situation", "row", "truth", "median", "low", "high", "error", "slow_low", "slow_high", "pays", "verdict",
                        "certainty", "plain", "plain_median", "problem"))]
    for prediction in itertools.chain.from_iterable(predictions(asking, situation) for situation in situations):
        main, slow, estimate = prediction.main or {}, prediction.slow or {}, prediction.estimate or {}
        numbers = (prediction.truth, main.get("median"), main.get("low"), main.get("high"), prediction.error(), slow.get("low"),
                   slow.get("high"), prediction.pays)
        lines.append("\t".join((
            prediction.situation, prediction.name(), *("-" if n is None else f"{n:.3g}" for n in numbers),
            estimate.get("verdict", "-"), estimate.get("certainty", "-"), f"{prediction.row.plain:.4g}",
            f"{(estimate.get('plain_tokens_s') or {}).get('median', math.nan):.4g}", asking.problem(prediction.question))))
    return "\n".join(lines) + "\n"
