"""Floors beside independent programs, and no row below one."""

import json
import os
import tempfile
from typing import Iterator

from ..support.number import Number
from ..support.record import Record
from ..support.ringside import Ringside, run
from ..support.standalone import program

MIB = 1 << 20
FLOOR_TRANSFER = 64 * MIB
FLOOR_SIZES = [1 << 10, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24]
FLOOR_TURNS = 5


def rows_below(document: dict) -> list[str]:
    """Whose median lies below their floor by more than the floor may be off."""
    return [f"{row['params']['strategy']} {row['params']['bytes']} {row['params']['mode']}: {row['time']['median_ns']:.0f} ns, "
            f"floor {row['floor_ns']:.0f} ns" for row in document["rows"]
            if row["status"] == "pass" and row["floor_ns"]
            and row["time"]["median_ns"] < row["floor_ns"] - (row["floor_uncertainty_ns"] or 0)]


def floor_of_gpus(ringside: Ringside, folder: str) -> Iterator[Number]:
    """The bandwidth of stores of 64 MiB beside a program that stores as much; no row below a floor."""
    theirs = json.loads(run([program(ringside, "link_stores.cu", folder), str(FLOOR_TRANSFER)]).stdout)
    if "skipped" in theirs:
        print(f"skipped  floor of GPUs: {theirs['skipped']}", flush=True)
        return
    document = ringside.probe("--device", "cuda", "--ranks", "2", "--strategy", "custom,custom-pull", "--sizes",
                              f"2K,64K,1M,16M,{FLOOR_TRANSFER}", "--launches", "1", "--budget", "20")
    ours = next(link["bandwidth_gbps"] for link in document["links"] if link["bytes"] == FLOOR_TRANSFER)
    yield Number("bandwidth at 64M beside an independent program", "at most", 10, 100 * abs(ours / theirs["gbps"] - 1), "%",
                 f"{ours:.0f} GB/s, {theirs['gbps']:.0f} GB/s with {theirs['blocks']} x {theirs['threads']}")
    below = rows_below(document)
    yield Number("rows of GPUs below their floor", "at most", 0, len(below), "rows", "; ".join(below[:5]))


def floor_of_host(ringside: Ringside, folder: str) -> Iterator[Number]:
    """Flag and sums of fresh data of the first two cores beside a program on the same cores, turn by turn; of each the best
    turn. Then all strategies of the host: no row below its floor."""
    cores = sorted(os.sched_getaffinity(0))[:2]
    if len(cores) < 2:
        print("skipped  floor of the host: fewer than two cores", flush=True)
        return
    sums = program(ringside, "fresh_sums.cpp", folder)
    ours: dict[str, float] = {}
    theirs: dict[str, float] = {}
    for turn in range(FLOOR_TURNS):
        document = json.loads(run(
            [ringside.binary, "probe-comm", "--quiet", "--device", "host", "--ranks", "2", "--strategy", "custom", "--dtype",
             "fp32", "--sizes", ",".join(map(str, FLOOR_SIZES)), "--launches", "1", "--rounds", "1", "--min-rounds", "1",
             "--seed", str(turn), "--json", "-"], preexec_fn=lambda: os.sched_setaffinity(0, cores)).stdout)
        for link in document["links"]:
            ours["flag"] = min(ours.get("flag", float("inf")), link["one_way_latency_ns"])
            ours[str(link["bytes"])] = max(ours.get(str(link["bytes"]), 0), link["bandwidth_gbps"])
        answer = json.loads(run([sums, *map(str, cores), *map(str, FLOOR_SIZES)]).stdout)
        theirs["flag"] = min(theirs.get("flag", float("inf")), answer["one_way_latency_ns"])
        for size, gbps in answer["gbps"].items():
            theirs[size] = max(theirs.get(size, 0), gbps)
    for what, our in ours.items():
        name, unit = ("one-way flag", "ns") if what == "flag" else (f"sums of fresh data, {what} bytes", "GB/s")
        yield Number(f"{name} between two cores beside an independent program", "at most", 20,
                     100 * abs(our / theirs[what] - 1), "%", f"{our:.4g} {unit}, {theirs[what]:.4g} {unit}")
    document = ringside.probe("--device", "host", "--ranks", "2", "--dtype", "bf16,fp32", "--budget", "60")
    below = rows_below(document)
    yield Number("rows of the host below their floor", "at most", 0, len(below), "rows", "; ".join(below[:5]))


def floor(ringside: Ringside, _record: Record) -> Iterator[Number]:
    with tempfile.TemporaryDirectory() as folder:
        yield from floor_of_gpus(ringside, folder)
        yield from floor_of_host(ringside, folder)


PARTS = {"floor": floor}
