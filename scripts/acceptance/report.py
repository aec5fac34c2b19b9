"""Reports: how fast large results are shown, and what their reader makes of anything at all."""

import json
import pathlib
import random
import subprocess
import tempfile
import time
from typing import Iterator

from .support.number import Number
from .support.record import Record
from .support.ringside import Ringside, Unusable

SIZES, STRATEGIES, LAUNCHES, SAMPLES = 1000, 10, 3, 10
TURNS = 5


def large_document(ringside: Ringside) -> dict:
    """10,000 rows with samples, in the form of this binary's own modelled sweep."""
    sweep = ringside.probe("--device", "model", "--machine", "h200x2-nvlink", "--sizes", "2K")
    template = sweep["rows"][0]
    random.seed(7)
    rows = []
    for size in range(SIZES):
        for strategy in range(STRATEGIES):
            row = json.loads(json.dumps(template))
            median = random.uniform(1e3, 1e5)
            row["params"].update(bytes=2048 + 64 * size, strategy=f"strategy-{strategy}", family=f"strategy-{strategy}")
            row["time"] = {"samples": LAUNCHES * SAMPLES, "median_ns": median,
                           "interval95_ns": {"low": 0.99 * median, "high": 1.01 * median}, "min_ns": 0.98 * median,
                           "p90_ns": 1.02 * median, "p99_ns": None}
            row["launches"] = [{"launch": launch, "calls_per_sample": 122, "samples_per_round": 1,
                                "samples_ns": [median * random.uniform(0.98, 1.02) for _ in range(SAMPLES)],
                                "first_call_ns": 10 * median} for launch in range(LAUNCHES)]
            rows.append(row)
    return {**sweep, "rows": rows}


def pages(ringside: Ringside, _record: Record) -> Iterator[Number]:
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "large.json"
        path.write_text(json.dumps(large_document(ringside), indent=2), encoding="utf-8")
        page = path.with_suffix(".html")
        times = []
        for _ in range(TURNS):
            start = time.perf_counter()
            result = subprocess.run([ringside.binary, "report", path, "--html", page, "--gab", "-"],
                                    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
            times.append(time.perf_counter() - start)
            if result.returncode != 0:
                raise Unusable(f"report ended with {result.returncode}: {result.stderr.strip()}")
        yield Number("report --html of 10,000 rows with samples", "below", 1, min(times), "s",
                     f"{path.stat().st_size / 1e6:.0f} MB of JSON, a page of {page.stat().st_size / 1e6:.1f} MB")


PARTS = {"pages": pages}
ON_DEMAND: list[str] = []
