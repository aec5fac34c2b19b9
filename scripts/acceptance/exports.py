"""What a sweep exports: NVIDIA's example tuner plug-in with our CSV, and NCCL's variables, beside NCCL's own choice."""

import json
import os
import pathlib
import shlex
import subprocess
import tempfile
from typing import Iterator

from .support.nccl_tests import NcclTests
from .support.number import Number
from .support.record import Record
from .support.ringside import Ringside, Unusable, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "docs" / "results"
FORMS = ("nccl-tuner", "env", "sglang", "vllm")
KIB = 1024
SIZES = [2 * KIB << shift for shift in range(14)]  # 2 KB .. 16 MB
STRATEGIES = "nccl-auto,nccl-ring,nccl-ring:ll,nccl-ring:ll128,nccl-ring:simple,nccl-tree,nccl-tree:ll,nccl-tree:ll128," \
             "nccl-tree:simple,nccl-nvls"
BUFFER = 256  # of the plug-in, for a line, its newline and the end of the string
SLOWER_PERCENT = 2
REPEATS = 3  # of nccl-tests; the fastest counts
RANKS = 2


def declare(parser) -> None:
    parser.add_argument("--nccl-tests", metavar="COMMAND", help="starts nccl-tests' MPI build, one GPU a process: "
                        f"'mpirun -np {RANKS} .../all_reduce_perf'")
    parser.add_argument("--nccl-lib", metavar="FILE", help="the NCCL library, for ringside and nccl-tests alike")
    parser.add_argument("--nccl-source", metavar="FOLDER", type=pathlib.Path,
                        help="NCCL's source, 2.30.3 or later, with its example tuner plug-in built "
                        "(make -C plugins/tuner/example); NCCL 2.28 and later take it")
    parser.add_argument("--sweep", metavar="FILE", type=pathlib.Path,
                        help="the sweep to export, of this box (default: it is measured)")


def lines(ringside: Ringside, _record: Record) -> Iterator[Number]:
    """Every recorded result in every form; no GPU is needed."""
    exported = longest = unsafe = 0
    for path in sorted(RESULTS.glob("*/*.json")):
        for form in FORMS:
            result = subprocess.run([ringside.binary, "report", path, "--export", form], capture_output=True, check=False)
            if result.returncode != 0:
                continue
            exported += 1
            for line in result.stdout.splitlines():
                longest = max(longest, len(line) + 1)
                columns = line.split(b",")
                unsafe += line.startswith(b"allreduce,") and (len(columns) != 10 or not columns[5].isdigit() or columns[5] == b"0")
                unsafe += line.startswith((b"NCCL_ALGO=", b"NCCL_PROTO=")) and b"=allreduce:" not in line
                unsafe += b"_SIZE_KB=" in line
    yield Number("exports of recorded results", "at least", len(FORMS), exported, "exports")
    yield Number("longest line of an export, with its newline", "below", BUFFER, longest, "bytes")
    yield Number("lines that leave the channels, other collectives or a workspace open", "at most", 0, unsafe, "lines")


def needs_gpus() -> None:
    names = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=False).stdout.splitlines() \
        if any(pathlib.Path(folder, "nvidia-smi").exists() for folder in os.environ["PATH"].split(":")) else []
    if sum(name.startswith("GPU ") for name in names) < RANKS:
        raise Unusable(f"skipped: needs {RANKS} GPUs")


def library(record: Record) -> list[str]:
    return ["--nccl-lib", record.options.nccl_lib] if record.options.nccl_lib else []


def sweep_at(folder: str, ringside: Ringside, record: Record) -> tuple[pathlib.Path, dict]:
    """The sweep of this box that is exported: where it lies, and the Document."""
    path = record.options.sweep or pathlib.Path(folder, "sweep.json")
    if record.options.sweep is None:
        run([ringside.binary, "probe-comm", "--device", "cuda", "--mode", "graph", "--strategy", STRATEGIES, "--sizes",
             ",".join(map(str, SIZES)), "--quiet", "--json", path, *library(record)])
    document = json.loads(path.read_text(encoding="utf-8"))
    record.note_version("nccl", document["machine"]["facts"]["nccl"])
    return path, document


def best_us(tests: NcclTests, environment: dict[str, str]) -> dict[int, float]:
    runs = [tests.graph_us(SIZES, environment, False) for _ in range(REPEATS)]
    return {size: min(one[size] for one in runs) for size in SIZES}


def beside(name: str, record: Record, document: dict, settings: dict[str, str], claimed: set[int]) -> Iterator[Number]:
    """nccl-tests without and with the settings: slower nowhere, faster where it is claimed."""
    if not record.options.nccl_tests:
        raise Unusable(f"nccl-tests is needed: --nccl-tests 'mpirun -np {RANKS} .../all_reduce_perf'")
    tests = NcclTests(record.options.nccl_tests)
    nccl = {"LD_LIBRARY_PATH": os.path.dirname(document["machine"]["facts"]["nccl_path"]) + ":" +
            os.environ.get("LD_LIBRARY_PATH", "")}
    plain, chosen = best_us(tests, nccl), best_us(tests, {**nccl, **settings})
    worst = max(SIZES, key=lambda size: chosen[size] / plain[size])
    yield Number(f"{name}, slowest beside NCCL's own choice", "at most", SLOWER_PERCENT,
                 100 * (chosen[worst] / plain[worst] - 1), "%",
                 f"{worst} bytes: {chosen[worst]:.2f} us, without {plain[worst]:.2f} us")
    missed = [size for size in sorted(claimed) if chosen[size] >= plain[size]]
    yield Number(f"{name}, sizes that should be faster and are not", "at most", 0, len(missed), "sizes",
                 f"of {len(claimed)}" + (f"; not {', '.join(map(str, missed))}" if missed else ""))


def tuner(ringside: Ringside, record: Record) -> Iterator[Number]:
    needs_gpus()
    if record.options.nccl_source is None:
        raise Unusable("NCCL's source is needed, with its example tuner plug-in built: --nccl-source")
    plugins = sorted((record.options.nccl_source / "plugins/tuner/example").rglob("libnccl-tuner*.so"))
    if not plugins:
        raise Unusable(f"no libnccl-tuner*.so below {record.options.nccl_source}: build the example first")
    with tempfile.TemporaryDirectory() as folder:
        path, document = sweep_at(folder, ringside, record)
        csv = pathlib.Path(folder, "nccl_tuner.conf")
        run([ringside.binary, "report", path, "--export", "nccl-tuner", "-o", csv])
        text = csv.read_text(encoding="utf-8").splitlines()
        settings = [line.split(",") for line in text if not line.startswith("#")]
        if not settings:
            raise Unusable(f"nothing to hold against NCCL here: {text[-1].lstrip('# ')}")
        # A line that wins has its margin in the comment above it.
        wins = [after for before, after in zip(text, text[1:]) if "(at least " in before and not after.startswith("#")]
        claimed = {size for line in wins for size in SIZES if int(line.split(",")[1]) <= size <= int(line.split(",")[2])}
        yield from beside("NVIDIA's tuner plug-in with our CSV", record, document,
                          {"NCCL_TUNER_PLUGIN": str(plugins[0]), "NCCL_TUNER_CONFIG_FILE": str(csv)}, claimed)


def environment(ringside: Ringside, record: Record) -> Iterator[Number]:
    needs_gpus()
    with tempfile.TemporaryDirectory() as folder:
        path, document = sweep_at(folder, ringside, record)
        text = run([ringside.binary, "report", path, "--export", "env"]).stdout.splitlines()
        settings = dict(shlex.split(line)[0].split("=", 1) for line in text if not line.startswith("#"))
        if not settings:
            raise Unusable(f"nothing to hold against NCCL here: {text[-1].lstrip('# ')}")
        yield from beside("NCCL's variables", record, document, settings, set())
        # Another collective must still run: it keeps its own algorithms.
        others = shlex.split(record.options.nccl_tests.replace("all_reduce_perf", "broadcast_perf"))
        result = subprocess.run([*others, "-b", "1M", "-e", "1M", "-g", "1", "-n", "5"], capture_output=True, text=True,
                                env={**os.environ, **settings}, check=False)
        yield Number("a broadcast with these variables, exit status", "at most", 0, abs(result.returncode), "")


PARTS = {"lines": lines, "tuner": tuner, "env": environment}
ON_DEMAND = ["tuner", "env"]  # two GPUs, nccl-tests and NCCL's source
