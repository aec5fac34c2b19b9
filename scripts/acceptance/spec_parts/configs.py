"""What run-spec reads of a model: totals of published models, and what it owns not to understand."""

import csv
import os
import pathlib
import subprocess
import tempfile
from typing import Iterator

from ..support.number import Number
from ..support.record import Record
from ..support.ringside import Ringside, Unusable

ROOT = pathlib.Path(__file__).resolve().parents[3]
PUBLISHED = ROOT / "tests/data/models/totals.tsv"
TEST = "totals of published models are within 3 %\\, or the model is not understood"
MOST = 0.03
COLUMNS = ("parameters", "weight_bytes", "kv_bytes")


def table(path: pathlib.Path) -> dict[str, dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return {row["model"]: row for row in csv.DictReader(file, delimiter="\t")}


def counted(ringside: Ringside) -> dict[str, dict[str, str]]:
    """What the reader counts of each model; the unit test writes it down as it goes."""
    unit = ringside.binary.with_name("ringside_unit")
    if not unit.exists():
        raise Unusable(f"no unit tests in {unit.parent}")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "counted.tsv")
        subprocess.run([unit, TEST], capture_output=True, check=False, env={**os.environ, "RINGSIDE_MODEL_TOTALS": str(path)})
        if not path.exists():
            raise Unusable(f"{unit} has no test '{TEST}'")
        return table(path)


def off(expected: dict[str, str], measured: dict[str, str], column: str) -> float:
    return abs(float(measured[column]) / float(expected[column]) - 1) if expected[column] else 0


def measure(_record: Record, ringside: Ringside) -> Iterator[Number]:
    published, models = table(PUBLISHED), counted(ringside)
    right, silent, doubted = [], [], []
    for name, expected in published.items():
        measured = models.get(name)
        fits = measured is not None and all(off(expected, measured, column) <= MOST for column in COLUMNS)
        understood = measured is not None and measured["understood"] == "1"
        if fits and understood:
            right.append(name)
        elif understood or measured is None:
            silent.append(name)
        else:
            doubted.append(name)
    families = {published[name]["family"] for name in right}
    files = [name for name in right if published[name]["weight_bytes"]]
    cached = [name for name in right if published[name]["kv_bytes"]]
    yield Number(f"configs: {len(right)} of {len(published)} within 3 %", "at least", 60, len(right), "models",
                 f"{len(files)} of them beside the size of their files; not understood: {', '.join(doubted) or 'none'}")
    yield Number("configs: families of those", "at least", 20, len(families), "families")
    yield Number("configs: beyond 3 % without a word", "at most", 0, len(silent), "models", ", ".join(silent))
    yield Number("configs: KV bytes a token beside a server's log or source", "at least", 15, len(cached), "models")


def configs(ringside: Ringside, record: Record) -> Iterator[Number]:
    return measure(record, ringside)


PARTS = {"configs": configs}
