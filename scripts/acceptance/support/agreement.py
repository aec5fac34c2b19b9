"""How far two sweeps of unchanged code agree.

`compare` is what judges two sweeps, so its word counts, without its second look. A case is a tie when it calls neither side
faster, whichever of them it is told is the new one: unconfirmed, a slowdown is named beyond two thresholds and a speed-up
beyond one, so that one order alone would let half of the changes off more lightly. `ambiguous` names no difference, and is
a tie; how many cases are shown to be the same (`pass`) is told beside it. So is how many have every launch median of one
side more than 1 % above those of the other: that is what names a winner inside a sweep, where launches are paired.
"""

import collections
import dataclasses
import json
import pathlib
import statistics
import subprocess

from .ringside import Ringside, Unusable

DIFFERENT = {"regress", "improve"}
APART = 1.01
VERDICTS = ("pass", "ambiguous", "regress", "improve")


@dataclasses.dataclass(frozen=True)
class Agreement:
    verdicts: dict[str, set[str]]  # case -> what compare says, the second sweep as the new one and the first
    forward: dict[str, str]  # the second sweep as the new one
    apart: list[str]  # cases whose launches are apart
    launches: int  # fewest of a case

    def not_tied(self) -> list[str]:
        return [case for case, verdicts in self.verdicts.items() if verdicts & DIFFERENT]

    def tied_percent(self) -> float:
        return 100 * (1 - len(self.not_tied()) / len(self.verdicts))

    def detail(self) -> str:
        counts = collections.Counter(self.forward.values())
        parts = [f"{len(self.verdicts) - len(self.not_tied())} of {len(self.verdicts)}",
                 "the second beside the first: " + ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS),
                 f"launches apart by more than 1 %: {len(self.apart)}"]
        if self.not_tied():
            parts.append("no ties: " + ", ".join(self.not_tied()[:8]))
        return "; ".join(parts)


def name(params: dict) -> str:
    size = params["bytes"]
    text = f"{size >> 20}M" if size >> 20 << 20 == size else f"{size >> 10}K"
    entry = f"#{params['entry']}" if params["entry"] else ""
    return f"{params['strategy']}{entry} {text} {params['dtype']} {params['mode']}"


def verdicts(ringside: Ringside, base: pathlib.Path, new: pathlib.Path) -> dict[str, str]:
    """Of the cases that were measured in both."""
    result = subprocess.run([ringside.binary, "compare", "--no-confirm", "--quiet", "--json", "-", base, new],
                            capture_output=True, text=True, check=False)
    if result.returncode not in (0, 6, 7):
        raise Unusable(f"ringside compare ended with {result.returncode}: {result.stderr.strip()}")
    return {name(row["params"]): row["status"] for row in json.loads(result.stdout)["rows"] if row["comparison"]["stages"]}


def launch_medians(path: pathlib.Path) -> dict[str, list[float]]:
    rows = json.loads(path.read_text(encoding="utf-8"))["rows"]
    return {name(row["params"]): [statistics.median(launch["samples_ns"]) for launch in row["launches"]]
            for row in rows if row["status"] == "pass"}


def agreement(ringside: Ringside, first: pathlib.Path, second: pathlib.Path) -> Agreement:
    forward, backward = verdicts(ringside, first, second), verdicts(ringside, second, first)
    if not forward:
        raise Unusable(f"{first} and {second} have no case in common")
    one, other = launch_medians(first), launch_medians(second)
    apart = [case for case in forward
             if min(one[case]) > APART * max(other[case]) or min(other[case]) > APART * max(one[case])]
    return Agreement({case: {forward[case], backward[case]} for case in forward}, forward, apart,
                     min(min(len(one[case]), len(other[case])) for case in forward))
