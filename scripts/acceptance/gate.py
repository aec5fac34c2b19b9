"""The regression gate: how often it errs, on recorded launches and on drawn ones, and how fast it reads."""

import json
import pathlib
import subprocess
import tempfile
import time
from typing import Iterator

from .support.number import Number
from .support.record import Record
from .support.ringside import Ringside, Unusable, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGETS = ["ringside", "gate_rates"]
RESULTS = ROOT / "docs" / "results"
HOST = sorted((RESULTS / "2026-11-30-2-cores" / "gate").glob("*.json"))  # a minute apart, without the floors of launches
HOST_TIMES = sorted((RESULTS / "2026-11-30-2-cores" / "gate-times").glob("*.json"))  # five minutes apart
GPUS = sorted((RESULTS / "2026-11-30-h200x2" / "gate").glob("*.json"))
GPU_DEVIATION = 0.018  # of the most restless of 48 rows of two H200 (allreduce-graph.json), three launches each; most have 0.003
WAYS = {"fresh_both": "both sides measured again", "fresh_new": "the new side measured again", "unconfirmed": "no second look"}
HOST_CASES = 56  # of the default sweep of the host device
GPU_CASES = 532  # of the default sweep of two H200
RECORDED = 400
TIMES = 5  # that a machine is calibrated at before it knows what changes between times
READ_ROWS = 10_000
READ_LAUNCHES = 5
READ_SAMPLES = 10  # the fewest of a launch
READ_TURNS = 7


def rates(ringside: Ringside, *arguments: object) -> dict:
    program = ringside.binary.parent / "gate_rates"
    if not program.exists():
        raise Unusable(f"no {program}: build the target gate_rates")
    return json.loads(run([program, *map(str, arguments)]).stdout)


def recorded(paths: list[pathlib.Path]) -> list[str]:
    return [word for path in paths for word in ("--result", str(path))]


def false_alarms(ringside: Ringside, _record: Record) -> Iterator[Number]:
    """Whole comparisons of the recorded launches with each other, which are all of the same code."""
    for device, paths, cases, runs, calibrations in (("host", HOST_TIMES, HOST_CASES, 2000, TIMES),
                                                     ("host within minutes", HOST, HOST_CASES, 2000, TIMES),
                                                     ("2 x H200", GPUS, GPU_CASES, 400, 1)):
        rows = [json.loads(path.read_text(encoding="utf-8"))["rows"] for path in paths]
        fewest = sum(min(len(row["launches"]) for row in result) for result in rows)
        yield Number(f"recorded launches of each case, {device}", "at least", RECORDED, fewest, "launches",
                     f"{len(rows[0])} cases, {len(paths)} results")
        apart = [(["--times", "--calibrations", times], f"each side of another time, calibrated at {times}", WAYS)
                 for times in sorted({1, calibrations})]
        for option, drawn, ways in (
                ([], "all of one time", WAYS),
                (["--in-turn"], "both sides in turn, as --against makes them", ("fresh_both",)),
                *apart):
            found = rates(ringside, *recorded(paths), "--launches", 5, "--cases", cases, "--runs", runs, *option)
            for way in ways:
                yield Number(f"whole runs with a false alarm, {cases} cases, recorded launches of {device}, {drawn}, {WAYS[way]}",
                             "at most", 1, 100 * found[way]["runs"], "%",
                             f"{runs} runs; a first look alone: {100 * found['first_look']['runs']:.0f} %; "
                             f"mean threshold {100 * found['threshold']:.1f} %")


def simulation(ringside: Ringside, _record: Record) -> Iterator[Number]:
    for deviation, cases in ((GPU_DEVIATION, GPU_CASES), (0.05, HOST_CASES)):
        found = rates(ringside, "--deviation", deviation, "--launches", 5, "--cases", cases, "--runs", 300)
        for way, name in WAYS.items():
            yield Number(f"whole runs with a false alarm, {cases} cases drawn with a deviation of {100 * deviation:g} %, {name}",
                         "at most", 1, 100 * found[way]["runs"], "%",
                         f"300 runs; a first look alone: {100 * found['first_look']['runs']:.0f} %")


def power(ringside: Ringside, _record: Record) -> Iterator[Number]:
    """On the recorded launches, and with the deviation of all 48 rows on two H200: 0.5 %, pooled."""
    for slowdown, launches, limit in ((0.05, 7, 90), (0.10, 5, 99)):
        for source, arguments in (("deviation of H200 (0.5 %)", ["--deviation", 0.005, "--cases", 1, "--runs", 4000]),
                                  ("recorded launches of 2 x H200", [*recorded(GPUS), "--cases", 4, "--runs", 1000])):
            found = rates(ringside, *arguments, "--launches", launches, "--slowdown", slowdown)
            for way in ("fresh_both", "fresh_new"):
                yield Number(f"+{100 * slowdown:g} % is caught, {launches} launches, {source}, {WAYS[way]}", "at least", limit,
                             100 * found[way]["cases"], "%")
    twice = ["--launches", 5, "--cases", 16, "--runs", 500, "--thresholds", 2]
    found, moved = (rates(ringside, *recorded(paths), *twice) for paths in (HOST, HOST_TIMES))
    for way in ("fresh_both", "fresh_new"):
        yield Number(f"twice the threshold is caught, recorded launches of host, {WAYS[way]}", "at least", 90,
                     100 * found[way]["cases"], "%",
                     f"mean threshold {100 * found['threshold']:.1f} %; in two hours in which the link moved now and then, "
                     f"which makes cases ambiguous: {100 * moved[way]['cases']:.0f} %")


def large_result(template: dict, rows: int) -> dict:
    """A result with so many rows, made of the first one."""
    first = template["rows"][0]
    samples = [1000.125 + 0.5 * i for i in range(READ_SAMPLES)]
    launches = [{**first["launches"][0], "launch": i, "samples_ns": samples} for i in range(READ_LAUNCHES)]
    return {**template, "rows": [{**first, "params": {**first["params"], "bytes": 2 * (i + 1)}, "launches": launches}
                                 for i in range(rows)]}


def reading(ringside: Ringside, _record: Record) -> Iterator[Number]:
    template = ringside.probe("--device", "host", "--ranks", "2", "--strategy", "ring", "--sizes", "1K", "--launches", "1",
                              "--rounds", "3", "--budget", "5")
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder, name) for name in ("base.json", "new.json")]
        for path in paths:
            path.write_text(json.dumps(large_result(template, READ_ROWS), indent=2), encoding="utf-8")
        times = []
        for _ in range(READ_TURNS):
            start = time.perf_counter()
            subprocess.run([ringside.binary, "compare", *paths], check=True, stdout=subprocess.DEVNULL)
            times.append((time.perf_counter() - start) * 1e3)
        size = paths[0].stat().st_size / 1e6
        yield Number(f"compare of two results of {READ_ROWS} rows", "below", 200, min(times), "ms",
                     f"best of {READ_TURNS}; {READ_LAUNCHES} launches of {READ_SAMPLES} samples a row, {size:.0f} MB each")


PARTS = {"false-alarms": false_alarms, "simulation": simulation, "power": power, "reading": reading}
ON_DEMAND: list[str] = []
