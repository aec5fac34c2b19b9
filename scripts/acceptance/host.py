"""The host device: beside MPI, against itself, and what a newcomer waits for."""

import json
import os
import pathlib
import re
import statistics
import subprocess
import tempfile
import time
from typing import Iterator

from .support.mpi import MpiAllreduce
from .support.number import Number
from .support.record import Record
from .support.ringside import Ringside, medians_ns, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
KIB = 1024
MPI_SIZES = [KIB << shift for shift in range(15)]  # 1 KB .. 16 MB
MPI_TURNS = 5
MOST_OF_FLOOR = 1.3
TIE_STRATEGIES = ["ring", "tree", "custom", "symmetric"]
TIE_SIZES = ["1K", "8K", "64K", "512K", "4M"]
TIE_SEEDS = range(5)
HELP_RUNS = 200
CLEAN_CLONE_MIN = 15
RANK_ROWS = 30  # three sizes in two dtypes: of four strategies of allreduce and one of alltoall


def two_cores() -> None:
    """Limits a child to two cores, the machine that the limits are meant for."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])


def size_name(size: int) -> str:
    return f"{size // KIB}K" if size < KIB * KIB else f"{size // KIB // KIB}M"


def beside_mpi(ringside: Ringside, record: Record) -> Iterator[Number]:
    """Turn by turn at each size, so that a drift of the machine hits both; medians over the turns. Fresh data on both
    sides: each rank writes its input before a call and reads its output behind it. The floor is that of the same ranks."""
    mpi = MpiAllreduce(ROOT / "tests" / "acceptance" / "mpi_allreduce.cpp")
    for size in MPI_SIZES:
        ours: dict[str, list[float]] = {}
        floors, theirs = [], []
        for turn in range(MPI_TURNS):
            document = ringside.probe("--device", "host", "--ranks", "2", "--strategy", "custom,symmetric",
                                      "--sizes", str(size), "--dtype", "fp32", "--launches", "1", "--input", "fresh",
                                      "--budget", "4", "--seed", str(turn))
            for strategy, median in medians_ns(document).items():
                ours.setdefault(strategy, []).append(median)
            floors.append(document["rows"][0]["floor_ns"])
            calls = document["rows"][0]["launches"][0]["calls_per_sample"]
            answer = mpi.measure(size, calls, seconds=1)
            theirs.append(answer["median_ns"])
            record.note_version("mpi", answer["library"])
        best = min(ours, key=lambda strategy: statistics.median(ours[strategy]))
        our_ns, their_ns, floor_ns = statistics.median(ours[best]), statistics.median(theirs), statistics.median(floors)
        times = f"floor {floor_ns / 1e3:.2f} us, {best} {our_ns / 1e3:.2f} us, MPI {their_ns / 1e3:.2f} us"
        yield Number(f"the better of custom and symmetric beside the floor, {size_name(size)}", "at most", MOST_OF_FLOOR,
                     our_ns / floor_ns, "times", times)
        # Where MPI itself is near the floor nothing can be twice as fast.
        least = 2 if their_ns > 2 * MOST_OF_FLOOR * floor_ns else 0
        yield Number(f"MPI_Allreduce beside the better of custom and symmetric, {size_name(size)}", "at least", least,
                     their_ns / our_ns, "times", times)

def against_itself(ringside: Ringside, _record: Record) -> Iterator[Number]:
    pairs = ties = 0
    winners = []
    for strategy in TIE_STRATEGIES:
        for seed in TIE_SEEDS:
            document = ringside.probe("--device", "host", "--ranks", "2", "--strategy", f"{strategy},{strategy}",
                                      "--sizes", ",".join(TIE_SIZES), "--budget", "30", "--seed", str(seed))
            for verdict in document["verdicts"]:
                pairs += 1
                ties += verdict["winner"] is None
                if verdict["winner"] is not None:
                    winners.append(f"{verdict['winner']} {size_name(verdict['bytes'])} seed {seed}")
    expected = len(TIE_STRATEGIES) * len(TIE_SEEDS) * len(TIE_SIZES)
    yield Number("a strategy entered twice is judged, pairs", "at least", expected, pairs, "pairs")
    yield Number("a strategy entered twice comes out as a tie", "at least", 95, 100 * ties / max(pairs, 1), "%",
                 f"{ties} of {pairs}" + (f"; not: {', '.join(winners)}" if winners else ""))


def help_time(ringside: Ringside, _record: Record) -> Iterator[Number]:
    times = []
    for _ in range(HELP_RUNS):
        start = time.perf_counter()
        subprocess.run([ringside.binary, "--help"], check=True, stdout=subprocess.DEVNULL)
        times.append((time.perf_counter() - start) * 1e3)
    yield Number("ringside --help", "below", 10, statistics.median(times), "ms",
                 f"median of {HELP_RUNS}, starting the process included")


def default_sweep(ringside: Ringside, _record: Record) -> Iterator[Number]:
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        run([ringside.binary, "probe-comm", "--device", "host", "--json", f"{folder}/sweep.json"], preexec_fn=two_cores)
        elapsed = time.perf_counter() - start
        launches = json.loads(pathlib.Path(folder, "sweep.json").read_text(encoding="utf-8"))["method"]["launches"]
        yield Number("the default sweep on two cores", "below", 60, elapsed, "s")
        yield Number("launches of the default sweep that finished", "at least", 3, launches, "launches")


def many_ranks(ringside: Ringside, _record: Record) -> Iterator[Number]:
    """More ranks than cores, and numbers of ranks that divide nothing: every strategy is right."""
    for ranks in range(3, 9):
        rows = []
        for collective in ("allreduce", "alltoall"):
            rows += ringside.probe("--device", "host", "--ranks", str(ranks), "--collective", collective, "--dtype", "bf16,fp32",
                                   "--sizes", "2K,100004,1M", "--launches", "1", "--rounds", "3", "--min-rounds", "3",
                                   "--budget", "90")["rows"]
        elements = sum(row["verification"]["elements"] for row in rows if row["verification"])
        yield Number(f"rows of {ranks} ranks that are right", "at least", RANK_ROWS,
                     sum(row["status"] == "pass" for row in rows), "rows", f"of {len(rows)}; {elements} elements compared")


def in_clean_clone(limit: float, *arguments: str) -> Iterator[Number]:
    """scripts/test in a fresh clone with two cores and no compiler cache; limit in minutes. With the sanitizers also what
    it takes without them, which comes first."""
    with tempfile.TemporaryDirectory() as folder:
        run(["git", "clone", "--quiet", ROOT, f"{folder}/ringside"])
        begun = time.perf_counter()
        lines, plain = [], None
        with subprocess.Popen([f"{folder}/ringside/scripts/test", *arguments], text=True, preexec_fn=two_cores,
                              env=dict(os.environ, CCACHE_DISABLE="1", RINGSIDE_JOBS="2"),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as test:
            for line in test.stdout:
                lines.append(line.rstrip())
                if lines[-1] == "test: preset 'asan'":
                    plain = (time.perf_counter() - begun) / 60
        status, minutes = test.returncode, (time.perf_counter() - begun) / 60
        closing = lines[-1] if lines else "no output"
        if status != 0:
            closing += ": " + "; ".join(re.findall(r"^\s+\d+ - (.*) \(", "\n".join(lines), re.MULTILINE))
        where = "in a clean clone, two cores, no compiler cache"
        if plain is not None:
            yield Number(f"scripts/test {where}", "below", CLEAN_CLONE_MIN, plain, "min", "until the sanitizers begin")
        name = " ".join(["scripts/test", *arguments])
        yield Number(f"{name} {where}", "below", limit, minutes, "min")
        yield Number(f"{name}, exit status", "at most", 0, status, "", closing)


def clean_clone(_ringside: Ringside, _record: Record) -> Iterator[Number]:
    yield from in_clean_clone(CLEAN_CLONE_MIN)


def sanitizers(_ringside: Ringside, _record: Record) -> Iterator[Number]:
    yield from in_clean_clone(90, "--sanitizers")


PARTS = {"mpi": beside_mpi, "ties": against_itself, "help": help_time, "sweep": default_sweep, "ranks": many_ranks,
         "clean-clone": clean_clone, "sanitizers": sanitizers}
ON_DEMAND = ["clean-clone", "sanitizers"]  # a quarter of an hour, and an hour
