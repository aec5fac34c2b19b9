"""Published speeds: how near the estimate comes, how often its intervals hold, and whether its verdicts do."""

import math
from typing import Iterator, Sequence

from ..support.number import Number
from ..support.record import Record
from ..support.ringside import Ringside
from . import rows, scores
from .predictions import Prediction, predictions, table
from .question import shared
from .scores import Scored, scored

SPREAD = 0.18  # one sigma of the formula's logarithm


def listed(_ringside: Ringside, _record: Record) -> Iterator[Number]:
    """Whether there are enough rows to judge by."""
    lines, judged = rows.lines(), rows.judged()
    found = [line for line in lines if line["set"] == "found"]
    yield Number("rows given with the task", "at least", 21, len(lines) - len(found), "rows")
    yield Number("rows found beside them", "at least", 15, len(found), "rows",
                 f"{sum(line['use'] == 'yes' for line in found)} of them are judged")
    yield Number("sources of the found rows", "at least", 8, len({line["source"] for line in found}), "sources",
                 f"{len({row.box for row in judged})} judged experiments in all, {len({row.box for row in unseen(judged)})} that no "
                 "prior saw")


def unseen(judged: Sequence[rows.Row]) -> list[rows.Row]:
    """Rows of experiments of which none was given with the task."""
    given = {row.box for row in judged if row.given}
    return [row for row in judged if row.box not in given]


def inside(which: Sequence[Prediction], slow: bool) -> list[Scored]:
    return scored(which, lambda p: float(p.inside(slow=slow)), Prediction.name)


def named(values: Sequence[Scored], most: int = 4) -> str:
    return "; ".join(item.name for item in values[:most]) + ("; ..." if len(values) > most else "")


def coverage(ringside: Ringside, _record: Record) -> Iterator[Number]:
    """Intervals with nothing and with the plain speed observed."""
    asking = shared(ringside)
    for situation, what in (("nothing", "nothing observed"), ("plain", "plain observed")):
        which = predictions(asking, situation)
        for slow, limit in ((False, 75), (True, 85)):
            values = inside(which, slow)
            yield Number(f"{what}: truth inside the main component's interval{' or the slow path' if slow else ''}", "at least",
                         limit, scores.share(values), "% of experiments",
                         "outside: " + named([item for item in values if not item.value]))
    widths = [Scored(p.box, p.main["high"] / p.main["low"] if p.main else float("inf")) for p in predictions(asking, "plain")]
    yield Number("plain observed: high by low of the main component, median", "at most", 2.0, scores.quantile(widths, 0.5), "")


def errors(which: Sequence[Prediction]) -> list[Scored]:
    return scored(which, Prediction.error, Prediction.name)


def accuracy(ringside: Ringside, _record: Record) -> Iterator[Number]:
    """The speed-up with the plain speed and the length known, where no slow path is."""
    ordinary = [p for p in predictions(shared(ringside), "plain") if p.row.ordinary]
    given = errors([p for p in ordinary if p.row.given])
    yield Number("plain observed, given rows: error, median", "at most", 12, scores.quantile(given, 0.5), "%")
    yield Number("plain observed, given rows: error, worst", "at most", 25, scores.worst(given).value, "%", scores.worst(given).name)
    boxes = {row.box for row in unseen(rows.judged())}
    found = [p for p in ordinary if p.box in boxes]
    formula = scored(found, lambda p: scores.off(p.row.formula(), p.truth))
    for share, name, limit in ((0.5, "median", 15), (0.9, "90th percentile", 30)):
        measured, other = scores.quantile(errors(found), share), scores.quantile(formula, share)
        yield Number(f"plain observed, experiments that no prior saw: error, {name}", "at most", limit, measured, "%",
                     named(sorted(errors(found), key=lambda item: -item.value)))
        yield Number(f"plain observed, experiments that no prior saw: error beside the formula's, {name}", "at most", 0.75 * other,
                     measured, "%", f"the formula's {other:.3g} %")
    model = scored(found, lambda p: scores.interval_score(p.main["low"], p.main["high"], p.truth) if p.main else float("inf"))
    wide = math.exp(1.645 * SPREAD)
    beside = scored(found, lambda p: scores.interval_score(p.row.formula() / wide, p.row.formula() * wide, p.truth))
    yield Number("plain observed, experiments that no prior saw: interval score beside the formula's", "below",
                 scores.mean(beside), scores.mean(model), "", f"of {len({p.box for p in found})} experiments")


def pairs(ringside: Ringside, _record: Record) -> Iterator[Number]:
    """One point with speculation observed: other numbers of drafts, other batches."""
    asking = shared(ringside)
    for situation, name, median, high in (("drafts", "other numbers of drafts", 6, 15), ("double", "batch doubled or halved", 10, 25)):
        values = errors(predictions(asking, situation))
        for share, label, limit in ((0.5, "median", median), (0.9, "90th percentile", high)):
            yield Number(f"one point observed, {name}: error, {label}", "at most", limit, scores.quantile(values, share), "%",
                         f"{len(values)} pairs of {len({item.box for item in values})} experiments; "
                         + named(sorted(values, key=lambda item: -item.value), 3))
    far = predictions(asking, "far")
    yield Number("one point observed, farther batches: truth inside", "at least", 80, scores.share(inside(far, False)),
                 "% of experiments", f"{len(far)} pairs")
    stays = scores.quantile(scored(far, lambda p: scores.off(p.observed.truth, p.truth)), 0.5)
    yield Number("one point observed, farther batches: error beside 'the speed-up stays the same', median", "at most", stays + 2,
                 scores.quantile(errors(far), 0.5), "%", f"the guess's {stays:.3g} %")


def verdicts(ringside: Ringside, _record: Record) -> Iterator[Number]:
    """What is said beside what was measured, over all points and pairs."""
    asking = shared(ringside)
    every = [p for situation in ("nothing", "plain", "drafts", "double", "far") for p in predictions(asking, situation)]
    wrong = [p for p in every if p.wrongly_firm()]
    yield Number("firm verdicts that are wrong", "at most", 0, len(wrong), "verdicts",
                 f"of {sum(p.firm for p in every)} firm ones and {len(every)} in all"
                 + "".join(f"; {p.situation}: {p.name()}, {p.truth:.2f}x" for p in wrong[:6]))
    drafts = predictions(asking, "drafts")
    yield Number("one point observed, other numbers of drafts: firm", "at least", 70,
                 100 * sum(p.firm for p in drafts) / max(1, len(drafts)), "% of pairs", f"{len(drafts)} pairs")
    said = [p for p in every if p.pays is not None and 0.8 <= p.pays < 0.95]
    pay = 100 * sum(p.truth > 1 for p in said) / len(said) if said else 0.0
    for comparison, limit in (("at least", 70), ("at most", 98)):
        yield Number(f"verdicts said to pay at 0.8 to 0.95 that do, {comparison}", comparison, limit, pay, "%", f"of {len(said)}")
    both = predictions(asking, "both")
    outside = [p for p in both if not own_interval(p)]
    yield Number("measured ratios outside their own interval", "at most", 0, len(outside), "rows",
                 f"of {len(both)}" + "".join(f"; {p.name()}" for p in outside[:4]))


def own_interval(prediction: Prediction) -> bool:
    measured = [m["ratio"] for m in (prediction.estimate or {}).get("measured", []) if m["ratio"]]
    return any(ratio["low"] <= prediction.truth <= ratio["high"] for ratio in measured)


def every_prediction(ringside: Ringside, record: Record) -> Iterator[Number]:
    """Writes what was predicted of each row, to see which fail."""
    path = record.options.table
    text = table(shared(ringside), ("nothing", "plain", "drafts", "double", "far", "both"))
    if path:
        path.write_text(text, encoding="utf-8")
    problems = shared(ringside).problems()
    yield Number("questions without an answer", "at most", 0, len(problems), "kinds", "; ".join(problems[:4]))


PARTS = {"rows": listed, "coverage": coverage, "accuracy": accuracy, "pairs": pairs, "verdicts": verdicts,
         "answers": every_prediction}
