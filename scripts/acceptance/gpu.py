"""Real GPUs: beside nccl-tests, against physics, against itself, and after a rank is killed."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
from typing import Iterator

from .support.agreement import agreement
from .support.nccl_tests import NcclTests
from .support.number import Number
from .support.record import Record
from .support.ringside import Ringside, Unusable, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGETS = ["ringside", "ringside_gpu", "nccl_inits", "flag_ping_pong"]
KIB = 1024
NCCL_SIZES = [16 * KIB << 2 * shift for shift in range(6)]  # 16 KB .. 16 MB
# Strategy -> what makes nccl-tests do the same; None: symmetric registration.
NCCL_WAYS = {
    "nccl-auto": {},
    **{f"nccl-{algorithm}:{protocol}": {"NCCL_ALGO": f"allreduce:{algorithm}", "NCCL_PROTO": f"allreduce:{protocol}"}
       for algorithm in ("ring", "tree") for protocol in ("ll", "ll128", "simple")},
    "nccl-symmetric": None,
}
TIE_STRATEGIES = ["nccl-auto", "nccl-ring:simple", "nccl-symmetric", "custom-pull"]
TIE_SIZES = "2K,16K,128K,1M,8M"
# What was measured on two H200 over NVLink by independent programs, and how far a floor may be from it.
H200_PAIR = {"node_gap_ns": 520}
H200_BANDWIDTH_GBPS = {16 << 20: 376, 64 << 20: 397}
INITS = 1000
INIT_GROUPS = 4  # of ranks, side by side: most of an init is waiting


def declare(parser) -> None:
    parser.add_argument("--nccl-tests", metavar="COMMAND",
                        help="starts nccl-tests' MPI build, one GPU a process: 'mpirun -np 2 .../all_reduce_perf'")
    parser.add_argument("--nccl-lib", metavar="FILE", help="the NCCL library, for ringside and nccl-tests alike")
    parser.add_argument("--sweeps", nargs=2, metavar="FILE", type=pathlib.Path,
                        help="for sweeps-agree: two default sweeps of this build (--json), instead of measuring them")


def library(record: Record) -> list[str]:
    return ["--nccl-lib", record.options.nccl_lib] if record.options.nccl_lib else []


def size_name(size: int) -> str:
    return f"{size // KIB}K" if size < KIB * KIB else f"{size // KIB // KIB}M"


def passed_rows(document: dict) -> Iterator[dict]:
    for row in document["rows"]:
        if row["status"] == "pass":
            yield row


def beside_nccl_tests(ringside: Ringside, record: Record) -> Iterator[Number]:
    if not record.options.nccl_tests:
        raise Unusable("nccl-tests is needed: --nccl-tests 'mpirun -np 2 .../all_reduce_perf'")
    document = ringside.probe("--device", "cuda", "--mode", "graph", "--strategy", ",".join(NCCL_WAYS), "--sizes",
                              ",".join(map(str, NCCL_SIZES)), "--budget", "60", *library(record))
    record.note_version("nccl", document["machine"]["facts"]["nccl"])
    nccl = {"LD_LIBRARY_PATH": os.path.dirname(document["machine"]["facts"]["nccl_path"]) + ":" +
            os.environ.get("LD_LIBRARY_PATH", "")}
    tests = NcclTests(record.options.nccl_tests)
    for strategy, environment in NCCL_WAYS.items():
        ours = {row["params"]["bytes"]: row["time"]["median_ns"] / 1e3 for row in passed_rows(document)
                if row["params"]["strategy"] == strategy}
        if not ours:
            continue
        theirs = tests.graph_us(NCCL_SIZES, {**nccl, **(environment or {})}, environment is None)
        for size in NCCL_SIZES:
            difference = 100 * abs(ours[size] / theirs[size] - 1)
            yield Number(f"{strategy} beside nccl-tests, {size_name(size)}", "at most", 5, difference, "%",
                         f"{ours[size]:.2f} us, nccl-tests {theirs[size]:.2f} us")


def floors(ringside: Ringside, record: Record) -> Iterator[Number]:
    """A flag's time depends on where it lies: the probe and a program of its own both look for the fastest place."""
    flag = json.loads(run([ringside.binary.parent / "flag_ping_pong"]).stdout)
    document = ringside.probe("--device", "cuda", "--strategy", "custom-pull,nccl-auto", "--mode", "graph", "--sizes",
                              "2K,64K,1M,16M,64M", "--launches", "1", "--budget", "20", *library(record))
    latency = min(link["one_way_latency_ns"] for link in document["links"])
    yield Number("one-way flag beside flag_ping_pong", "at most", 10, 100 * abs(latency / flag["best_ns"] - 1), "%",
                 f"{latency:.0f} ns; there {flag['best_ns']:.0f} to {flag['worst_ns']:.0f} ns by place, in the middle "
                 f"{flag['median_ns']:.0f} ns")
    facts = document["machine"]["facts"]
    if facts["gpu0_name"] == "NVIDIA H200" and "gpu2_name" not in facts:
        for key, expected in H200_PAIR.items():
            measured = min(link[key] for link in document["links"])
            yield Number(f"{key} beside an independent program", "at most", 10, 100 * abs(measured / expected - 1), "%",
                         f"{measured:.0f} ns, {expected} ns")
        for link in document["links"]:
            expected = H200_BANDWIDTH_GBPS.get(link["bytes"])
            if expected:
                yield Number(f"bandwidth at {size_name(link['bytes'])} beside an independent program", "at most", 10,
                             100 * abs(link["bandwidth_gbps"] / expected - 1), "%",
                             f"{link['bandwidth_gbps']:.0f} GB/s, {expected} GB/s")
    yield below_floor(document)


def below_floor(document: dict) -> Number:
    below = [f"{row['params']['strategy']} {size_name(row['params']['bytes'])}" for row in passed_rows(document)
             if row["of_floor"] and row["of_floor"] > 1]
    return Number("rows below their floor", "at most", 0, len(below), "rows", ", ".join(below[:5]))


def sweep_into(path: pathlib.Path, ringside: Ringside, record: Record) -> dict:
    """The Document of the default sweep, which is at `path` too."""
    run([ringside.binary, "probe-comm", "--device", "cuda", "--quiet", "--json", path, *library(record)])
    return json.loads(path.read_text(encoding="utf-8"))


def default_sweep(ringside: Ringside, record: Record) -> Iterator[Number]:
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        document = sweep_into(pathlib.Path(folder, "sweep.json"), ringside, record)
        took = time.perf_counter() - start
    yield Number("the default sweep", "below", 90, took, "s", f"stopped by {document['method']['stop_reason']}")
    yield Number("the default sweep, launches", "at least", 3, document["method"]["launches"], "launches")
    bad = [f"{row['params']['strategy']} {size_name(row['params']['bytes'])} {row['status']}"
           for row in document["rows"] if row["status"] not in ("pass", "skipped")]
    yield Number("rows that failed", "at most", 0, len(bad), "rows", ", ".join(bad[:5]))
    unverified = sum(not row["verification"] for row in passed_rows(document))
    yield Number("rows that were timed unverified", "at most", 0, unverified, "rows")
    yield below_floor(document)
    shared = [path.name for path in pathlib.Path("/dev/shm").iterdir()]
    yield Number("files left in /dev/shm", "at most", 0, len(shared), "files", ", ".join(shared[:5]))
    record.note_version("nccl", document["machine"]["facts"]["nccl"])


def against_itself(ringside: Ringside, record: Record) -> Iterator[Number]:
    pairs = ties = 0
    winners = []
    for strategy in TIE_STRATEGIES:
        document = ringside.probe("--device", "cuda", "--strategy", f"{strategy},{strategy}", "--sizes", TIE_SIZES,
                                  "--budget", "20", *library(record))
        for verdict in document["verdicts"]:
            pairs += 1
            ties += verdict["winner"] is None
            if verdict["winner"] is not None:
                winners.append(f"{verdict['winner']} {size_name(verdict['bytes'])} {verdict['mode']}")
    yield Number("a strategy entered twice comes out as a tie", "at least", 95, 100 * ties / max(pairs, 1), "%",
                 f"{ties} of {pairs}" + (f"; not: {', '.join(winners)}" if winners else ""))


def sweeps_agree(ringside: Ringside, record: Record) -> Iterator[Number]:
    """Two default sweeps, one after the other, or those of --sweeps; see support/agreement.py for what a tie is."""
    with tempfile.TemporaryDirectory() as folder:
        files = record.options.sweeps or [pathlib.Path(folder, name) for name in ("first.json", "second.json")]
        if not record.options.sweeps:
            for file in files:
                sweep_into(file, ringside, record)
        found = agreement(ringside, *files)
    yield Number("cases of two default sweeps that are ties", "at least", 95, found.tied_percent(), "%", found.detail())
    yield Number("launches of the cases of both sweeps, fewest", "at least", 3, found.launches, "launches")


def gpu_memory_mib() -> list[int]:
    output = run(["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits"]).stdout
    return [int(line) for line in output.split()]


def rank_processes(parent: int) -> list[int]:
    """Rank processes of this coordinator, by rank."""
    ranks = {}
    for folder in pathlib.Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if len(words) > 3 and words[1] == b"__rank" and words[3] == str(parent).encode():
            ranks[int(words[2])] = int(folder.name)
    return [pid for _, pid in sorted(ranks.items())]


def killed_rank(ringside: Ringside, record: Record) -> Iterator[Number]:
    """SIGKILL for a rank in the middle of NCCL's calls."""
    before = gpu_memory_mib()
    sweep = subprocess.Popen([ringside.binary, "probe-comm", "--device", "cuda", "--strategy", "nccl-ring:simple,custom-pull",
                              "--mode", "eager", "--sizes", "16M", "--launches", "1", "--budget", "30", "--rounds", "100000",
                              "--min-rounds", "10000", "--quiet", "--json", "-", *library(record)],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    time.sleep(12)  # contexts, communicators and verification take a few seconds; then it is timed until the budget ends
    ranks = rank_processes(sweep.pid)
    if len(ranks) < 2:
        sweep.kill()
        raise Unusable("no ranks were running when one was to be killed")
    os.kill(ranks[1], signal.SIGKILL)
    output, _ = sweep.communicate(timeout=120)
    document = json.loads(output)
    lost = [row for row in document["rows"] if row["status"] == "failed"]
    named = sum("rank 1" in finding["message"] for finding in document["findings"] if finding["kind"] == "rank-lost")
    yield Number("rows that a killed rank costs", "at most", 1, len(lost), "rows", f"exit status {sweep.returncode}")
    yield Number("findings that name the killed rank", "at least", 1, named, "findings")
    yield Number("rank processes left after it", "at most", 0, len(rank_processes(sweep.pid)), "processes")
    time.sleep(2)
    left = max(after - earlier for after, earlier in zip(gpu_memory_mib(), before))
    yield Number("GPU memory left after it", "at most", 0, max(left, 0), "MiB")
    after = ringside.probe("--device", "cuda", "--strategy", "nccl-ring:simple", "--sizes", "64K", "--launches", "1",
                           "--budget", "5", *library(record))
    yield Number("rows that pass in the next sweep", "at least", 2, len(list(passed_rows(after))), "rows")


def communicators(ringside: Ringside, record: Record) -> Iterator[Number]:
    before = gpu_memory_mib()
    command = [ringside.binary.parent / "nccl_inits", str(INITS // INIT_GROUPS), *library(record)[1:]]
    groups = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(INIT_GROUPS)]
    answers = [json.loads(group.communicate()[0].splitlines()[-1]) for group in groups]
    yield Number("communicators made, used and destroyed", "at least", INITS, sum(each["communicators"] for each in answers),
                 "communicators", f"{INIT_GROUPS} groups of ranks side by side, {max(each['seconds'] for each in answers):.0f} s")
    yield Number("rank processes left after them", "at most", 0,
                 sum(len(rank_processes(group.pid)) for group in groups), "processes")
    time.sleep(2)
    left = max(after - earlier for after, earlier in zip(gpu_memory_mib(), before))
    yield Number("GPU memory left after them", "at most", 0, max(left, 0), "MiB")
    after = ringside.probe("--device", "cuda", "--strategy", "nccl-ring:simple", "--sizes", "64K", "--launches", "1",
                           "--budget", "5", *library(record))
    yield Number("rows that pass in the sweep after them", "at least", 2, len(list(passed_rows(after))), "rows")


def sanitizer(ringside: Ringside, _record: Record) -> Iterator[Number]:
    for tool in ("memcheck", "initcheck"):
        # Some tests provoke errors of CUDA's calls; others measure time, of which a checker needs a hundred times more.
        result = subprocess.run(["compute-sanitizer", "--tool", tool, "--report-api-errors", "no", "--error-exitcode", "86",
                                 ringside.binary.parent / "ringside_gpu", "~[timing]"], text=True, capture_output=True)
        lines = [line.lstrip("= ").strip() for line in result.stdout.splitlines()]
        closing = [line for line in lines if line.startswith("ERROR SUMMARY")][-1:] or ["no summary"]
        first = [line for line in lines if line.startswith(("Invalid", "Uninitialized", "Program hit"))][:1]
        failed = [line for line in lines if "tests/gpu/" in line and "FAILED" in line][:1]
        yield Number(f"compute-sanitizer {tool} over the GPU tests, exit status", "at most", 0, result.returncode, "",
                     "; ".join(closing + first + failed))


def tests(ringside: Ringside, _record: Record) -> Iterator[Number]:
    result = subprocess.run([ringside.binary.parent / "ringside_gpu"], text=True, capture_output=True)
    closing = (result.stdout.strip().splitlines() or ["no output"])[-1]
    yield Number("GPU tests, exit status", "at most", 0, result.returncode, "", closing)
    # The same binary through its command line, skew and cold inputs among it. Skipped tests are no pass.
    result = subprocess.run([sys.executable, "-B", ROOT / "tests/support/run_unittest.py", ROOT / "tests/cli/cuda_test.py"],
                            env={**os.environ, "RINGSIDE_BINARY": str(ringside.binary)}, text=True, capture_output=True)
    lines = (result.stdout + result.stderr).strip().splitlines() or ["no output"]
    failed = [line for line in lines if line.startswith(("FAIL:", "ERROR:"))]
    yield Number("GPU tests through the command line, exit status", "at most", 0, result.returncode, "",
                 "; ".join([lines[-1], *failed]))


PARTS = {"tests": tests, "floors": floors, "sweep": default_sweep, "nccl-tests": beside_nccl_tests,
         "ties": against_itself, "kill": killed_rank, "sanitizer": sanitizer, "sweeps-agree": sweeps_agree,
         "inits": communicators}
ON_DEMAND = ["sweeps-agree", "inits"]  # minutes
