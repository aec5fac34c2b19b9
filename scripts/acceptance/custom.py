"""The custom kernels: limits on two H200, beside NCCL and custom-pull, a soak, and bugs that must be caught."""

import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
from typing import Iterator

from .support.number import Number
from .support.record import Record
from .support.ringside import Ringside, Unusable, run

TARGETS = ["ringside", "ringside_gpu", "kernel_bench", "kernel_bench_controls"]
KIB = 1024
# Two H200, bf16, graph mode: us a call.
LIMITS_US = {2 * KIB: 2.2, 16 * KIB: 2.5, 64 * KIB: 2.7, 256 * KIB: 3.5, 1024 * KIB: 6.2, 16384 * KIB: 57,
             65536 * KIB: 215}
RIVALS = ["nccl-auto", *(f"nccl-{algorithm}{protocol}" for algorithm in ("ring", "tree")
                         for protocol in ("", ":ll", ":ll128", ":simple")), "nccl-symmetric",
          "nccl-auto:nomix", "nccl-symmetric:nomix", "custom-pull"]
AIMS_US = dict(zip(LIMITS_US, (1.7, 2.0, 2.2, 2.9, 5.3, 50, 190)))
SOAK_PLAYS = 16000  # of 64 calls
CONTROL_PLAYS = 400
# A bug and the kernels in which it is one.
BUGS = {"keep_packets": ["push", "ll"], "one_half": ["push", "ll"], "count_per_block": ["push", "ll"],
        "no_release": ["two-shot"]}

# Where custom-push ends early, and what it has done by then.
STAGES = {"none": "an empty kernel", "local": "without its packets", "send": "without taking packets"}
STAGE_SIZES = [2 * KIB, 64 * KIB, 1024 * KIB, 16384 * KIB]
STALLS = ["long_scoreboard", "short_scoreboard", "lg_throttle", "mio_throttle", "barrier", "membar", "drain", "wait",
          "no_instruction", "branch_resolving"]
COUNTERS = ["gpu__time_duration.sum", "nvltx__bytes.sum", "nvltx__bytes_data_user.sum", "nvlrx__bytes.sum",
            "nvlrx__bytes_data_user.sum", "smsp__inst_executed.sum", "smsp__warps_launched.sum", "lts__t_sectors_op_read.sum",
            "lts__t_sectors_op_write.sum", "dram__bytes_read.sum", "dram__bytes_write.sum", "smsp__average_warp_latency.ratio",
            *(f"smsp__average_warp_latency_issue_stalled_{stall}.ratio" for stall in STALLS)]


def size_name(size: int) -> str:
    return f"{size // KIB}K" if size < KIB * KIB else f"{size // KIB // KIB}M"


def declare(parser) -> None:
    parser.add_argument("--nccl-lib", metavar="FILE", help="the NCCL library")
    parser.add_argument("--torch-python", metavar="COMMAND", default="python3",
                        help="a python3 that has PyTorch (default: %(default)s)")


def library(record: Record) -> list[str]:
    return ["--nccl-lib", record.options.nccl_lib] if record.options.nccl_lib else []


def pytorch(record: Record) -> dict[str, dict[int, float]]:
    """Way -> us by bytes."""
    script = pathlib.Path(__file__).parent / "support" / "torch_symmetric.py"
    answer = json.loads(run([record.options.torch_python, script, *map(str, LIMITS_US)]).stdout.splitlines()[-1])
    record.note_version("torch", answer["version"])
    return {f"PyTorch {way}": {int(size): us for size, us in times_us.items()} for way, times_us in answer["us"].items()}


def times(ringside: Ringside, record: Record) -> Iterator[Number]:
    document = ringside.probe("--device", "cuda", "--ranks", "2", "--mode", "graph", "--strategy", ",".join(["custom", *RIVALS]),
                              "--sizes", ",".join(map(str, LIMITS_US)), "--launches", "3", "--budget", "100", *library(record))
    record.note_version("nccl", document["machine"]["facts"]["nccl"])
    yield Number("launches", "at least", 3, document["method"]["launches"], "launches")
    rows: dict[int, dict[str, float]] = {}
    floors = {}
    for row in document["rows"]:
        if row["status"] == "pass":
            rows.setdefault(row["params"]["bytes"], {})[row["params"]["strategy"]] = row["time"]["median_ns"] / 1e3
            floors[row["params"]["bytes"]] = f"{row['floor_ns'] / 1e3:.2f} us" if row["floor_ns"] else "not known"
    for way, times_us in pytorch(record).items():
        for size, us in times_us.items():
            rows[size][way] = us
    for size, limit in LIMITS_US.items():
        medians = rows.get(size, {})
        if "custom" not in medians:
            raise Unusable(f"custom was not measured at {size_name(size)}")
        yield Number(f"custom, {size_name(size)}", "at most", limit, medians["custom"], "us",
                     f"aim {AIMS_US[size]} us, floor {floors[size]}")
        rivals = {name: us for name, us in medians.items() if name != "custom"}
        fastest = min(rivals, key=rivals.__getitem__)
        yield Number(f"custom beside the fastest other one, {size_name(size)}", "at most", 1,
                     medians["custom"] / rivals[fastest], "times",
                     f"{fastest} {rivals[fastest]:.2f} us of {', '.join(f'{n} {u:.2f}' for n, u in sorted(rivals.items()))}")


def tuning(ringside: Ringside, record: Record) -> Iterator[Number]:
    """`--tune` into a folder of its own; then `custom` beside the candidates it could have taken."""
    sizes = ",".join(map(str, LIMITS_US))
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "XDG_DATA_HOME": folder}
        run([ringside.binary, "probe-comm", "--tune", "--device", "cuda", "--quiet", "--sizes", sizes, "--launches", "1",
             "--budget", "10", *library(record), "--json", f"{folder}/tune.json"], env=environment)
        tables = list(pathlib.Path(folder).rglob("*.toml"))
        yield Number("tables that --tune stored", "at least", 1, len(tables), "tables",
                     " | ".join(" ".join(table.read_text(encoding="utf-8").split()) for table in tables))
        answer = run([ringside.binary, "probe-comm", "--device", "cuda", "--quiet", "--mode", "graph", "--sizes", sizes,
                      "--strategy", "custom,custom-push,custom-push-ll,custom-two-shot,custom-pull", "--launches", "1",
                      "--budget", "10", "--json", "-"], env=environment)
    rows: dict[int, dict[str, float]] = {}
    for row in json.loads(answer.stdout)["rows"]:
        rows.setdefault(row["params"]["bytes"], {})[row["params"]["strategy"]] = row["time"]["median_ns"]
    for size, medians in rows.items():
        custom = medians.pop("custom")
        yield Number(f"tuned custom beside its fastest candidate, {size_name(size)}", "at most", 1.1,
                     custom / min(medians.values()), "times", min(medians, key=medians.__getitem__))


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


def stages(ringside: Ringside, _record: Record) -> Iterator[Number]:
    """Where a call's time goes: custom-push with its last stages left out. A part can't take longer than the whole."""
    result = bench(ringside, "", "stages")
    us = {(stage, int(size)): float(time) for size, stage, time in
          re.findall(r"^stage (\d+) (\S+) ([\d.]+)$", result.stdout, re.MULTILINE)}
    if result.returncode != 0 or not us:
        raise Unusable(f"kernel_bench stages: {(result.stderr or result.stdout).strip()[-300:]}")
    for size in STAGE_SIZES:
        whole = us["all", size]
        for stage, what in STAGES.items():
            yield Number(f"custom-push, {what}, {size_name(size)}", "at most", whole, us[stage, size], "us",
                         "the limit is the whole call")
        yield Number(f"custom-push:pdl, the whole call, {size_name(size)}", "at most", 1.1 * whole, us["all:pdl", size], "us",
                     f"custom-push {whole:.2f} us")


def profiled(ringside: Ringside) -> tuple[list[tuple[int, int]], list[dict[str, str]]]:
    """Bytes and calls of each range of `kernel_bench profile push`, and what Nsight Compute counted in it on rank 0."""
    if shutil.which("ncu") is None:
        raise Unusable("Nsight Compute is needed: no ncu on the PATH")
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder, "counters.csv")
        # Whole runs are repeated: a kernel that waits for another GPU can't be, as what it waits for comes once.
        answer = run(["ncu", "--target-processes", "application-only", "--replay-mode", "app-range", "--cache-control", "none",
                      "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base", "--log-file", log,
                      "--metrics", ",".join(COUNTERS), ringside.binary.parent / "kernel_bench", "profile", "push"])
        lines = [line for line in log.read_text(encoding="utf-8").splitlines() if line.startswith('"')]
    ranges = [(int(size), int(calls)) for size, calls in re.findall(r"^range (\d+) push (\d+)$", answer.stdout, re.MULTILINE)]
    rows = list(csv.DictReader(lines))[1:]  # units come first
    if not rows or len(ranges) < len(rows):
        raise Unusable(f"ncu counted {len(rows)} ranges of {len(ranges)}")
    return ranges[:len(rows)], rows  # each pass prints its ranges


def counters(ringside: Ringside, record: Record) -> Iterator[Number]:
    """Per call of custom-push, on one of two GPUs; of a warp's cycles, how many it was stalled and for what."""
    ranges, rows = profiled(ringside)
    record.note_version("ncu", run(["ncu", "--version"]).stdout.strip().splitlines()[-1])
    for (size, calls), row in zip(ranges, rows):
        each = {name: float(row[name].replace(",", "")) / (calls if name.endswith(".sum") else 1) for name in COUNTERS}
        told = ", ".join(f"{name.removeprefix('smsp__average_warp_latency_issue_')} {value:.5g}" for name, value in each.items())
        yield Number(f"data of custom-push on the link beside the message, {size_name(size)}", "at most", 1.01,
                     each["nvltx__bytes_data_user.sum"] / size, "times", told)


def sanitizer(ringside: Ringside, _record: Record) -> Iterator[Number]:
    """memcheck and racecheck with real peers; memcheck and initcheck with all ranks on one GPU, where the strategies prepare
    their slots too: initcheck can't follow memory that another process has made. Tests that measure time are left out: a
    checker takes a hundred times as long."""
    kernels = ["kernel_bench", "verify", "3", str(16 * KIB), "0"]
    tests = ["ringside_gpu", "~[timing]*packet*,~[timing]custom-pull*"]
    runs = (("memcheck", kernels), ("racecheck", kernels), ("memcheck", tests), ("initcheck", tests))
    for tool, (program, *arguments) in runs:
        result = subprocess.run(["compute-sanitizer", "--tool", tool, "--target-processes", "all", "--report-api-errors", "no",
                                 "--error-exitcode", "86", ringside.binary.parent / program, *arguments],
                                capture_output=True, text=True, check=False)
        lines = [line.strip("= ") for line in result.stdout.splitlines()]
        closing = [line for line in lines if "SUMMARY" in line or line.startswith("All tests passed")] or ["no summary"]
        failed = [line for line in lines if "tests/gpu/" in line and "FAILED" in line][:1]
        yield Number(f"compute-sanitizer {tool} over {program}, exit status", "at most", 0, result.returncode, "",
                     "; ".join(closing + failed))


PARTS = {"times": times, "stages": stages, "counters": counters, "soak": soak, "controls": controls, "sanitizer": sanitizer,
         "tune": tuning}
ON_DEMAND = ["counters"]  # needs Nsight Compute
