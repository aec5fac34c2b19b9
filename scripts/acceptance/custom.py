"""The custom kernels: limits on two H200, beside NCCL and custom-pull, a soak, and bugs that must be caught."""

import pathlib
import re
import subprocess
from typing import Iterator

from .support.number import Number
from .support.record import Record
from .support.ringside import Ringside, Unusable, run

TARGETS = ["ringside", "kernel_bench", "kernel_bench_controls"]
KIB = 1024
# Two H200, bf16, graph mode: us a call.
LIMITS_US = {2 * KIB: 2.2, 16 * KIB: 2.5, 64 * KIB: 2.7, 256 * KIB: 3.5, 1024 * KIB: 6.2, 16384 * KIB: 57,
             65536 * KIB: 215}
RIVALS = "nccl-auto,nccl-ring,nccl-tree,nccl-symmetric,custom-pull"
SOAK_PLAYS = 16000  # of 64 calls
CONTROL_PLAYS = 400
# A bug and the kernels in which it is one.
BUGS = {"keep_letters": ["push", "ll"], "one_half": ["push", "ll"], "count_per_block": ["push", "ll"],
        "no_release": ["two-shot"]}


def size_name(size: int) -> str:
    return f"{size // KIB}K" if size < KIB * KIB else f"{size // KIB // KIB}M"


def declare(parser) -> None:
    parser.add_argument("--nccl-lib", metavar="FILE", help="the NCCL library")


def times(ringside: Ringside, record: Record) -> Iterator[Number]:
    library = ["--nccl-lib", record.options.nccl_lib] if record.options.nccl_lib else []
    document = ringside.probe("--device", "cuda", "--ranks", "2", "--mode", "graph", "--strategy", f"custom,{RIVALS}",
                              "--sizes", ",".join(map(str, LIMITS_US)), "--launches", "3", "--budget", "120", *library)
    rows: dict[int, dict[str, float]] = {}
    for row in document["rows"]:
        if row["status"] == "pass":
            rows.setdefault(row["params"]["bytes"], {})[row["params"]["strategy"]] = row["time"]["median_ns"] / 1e3
    for size, limit in LIMITS_US.items():
        medians = rows.get(size, {})
        if "custom" not in medians:
            raise Unusable(f"custom was not measured at {size_name(size)}")
        yield Number(f"custom, {size_name(size)}", "at most", limit, medians["custom"], "us")
        rivals = {name: us for name, us in medians.items() if name != "custom"}
        fastest = min(rivals, key=rivals.__getitem__)
        yield Number(f"custom beside the fastest other one, {size_name(size)}", "at most", 1,
                     medians["custom"] / rivals[fastest], "times", f"{fastest} {rivals[fastest]:.2f} us")


def bench(ringside: Ringside, build: str, *arguments: object) -> subprocess.CompletedProcess:
    binary = ringside.binary.parent / f"kernel_bench{build}"
    return subprocess.run([binary, *map(str, arguments)], capture_output=True, text=True, check=False)


def soak(ringside: Ringside, _record: Record) -> Iterator[Number]:
    for name, delay_ns in {"back to back": 0, "one rank late at random": 20000}.items():
        result = bench(ringside, "", "verify", SOAK_PLAYS, 64 * KIB, delay_ns)
        found = re.search(r"(\d+) calls, (\d+) elements checked, (\d+) wrong", result.stdout)
        if found is None:
            raise Unusable(f"kernel_bench: {(result.stderr or result.stdout).strip()}")
        calls, elements, wrong = map(int, found.groups())
        yield Number(f"calls of mixed sizes, dtypes and grids, {name}", "at least", 1e6, calls, "calls")
        yield Number(f"wrong elements, {name}", "at most", 0, wrong, "elements", f"of {elements}")


def controls(ringside: Ringside, _record: Record) -> Iterator[Number]:
    healthy = bench(ringside, "_none", "verify", CONTROL_PLAYS, 64 * KIB, 0)
    yield Number("widened races without a bug", "at most", 0, healthy.returncode, "exit status")
    for bug, kernels in BUGS.items():
        for kernel in kernels:
            result = bench(ringside, f"_{bug}", "verify", CONTROL_PLAYS, 64 * KIB, 0, kernel)
            said = (result.stdout + result.stderr).strip().splitlines()[:1]
            yield Number(f"{bug} in {kernel} is caught", "at least", 1, result.returncode, "exit status", *said)


def sanitizer(ringside: Ringside, _record: Record) -> Iterator[Number]:
    for tool in ("memcheck", "racecheck"):
        result = run(["compute-sanitizer", "--tool", tool, "--target-processes", "all",
                      pathlib.Path(ringside.binary.parent, "kernel_bench"), "verify", "3", str(16 * KIB), "0"])
        found = re.search(r"(?:ERROR SUMMARY|RACECHECK SUMMARY): (\d+)", result.stdout)
        if found is None:
            raise Unusable(f"compute-sanitizer {tool} gave no summary")
        yield Number(f"compute-sanitizer {tool}", "at most", 0, int(found[1]), "findings")


PARTS = {"times": times, "soak": soak, "controls": controls, "sanitizer": sanitizer}
ON_DEMAND: list[str] = []
