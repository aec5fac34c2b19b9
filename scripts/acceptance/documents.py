"""Results that somebody changed: 15,000 of them through every format and export."""

import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import tempfile
import time
from typing import Iterator

from .support import destinations, mutations
from .support.number import Number
from .support.record import Record
from .support.ringside import Ringside

ROOT = pathlib.Path(__file__).resolve().parents[2]
LONGEST_S = 1.0  # for a document, beside what its size takes
BYTES_OF_A_SECOND = 20e6
PATIENCE_S = 60
ENVIRONMENT = {**os.environ, "TERM": "xterm", "NO_COLOR": "", "CI": "", "GITHUB_ACTIONS": ""}


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--count", type=int, default=15000, metavar="N", help="documents (default: %(default)s)")


def cpu_seconds(usage) -> float:
    return usage.ru_utime + usage.ru_stime


def run(command: list, folder: pathlib.Path) -> tuple[int, str, str, float]:
    """Exit status, stdout, stderr, and the CPU time: the clock would measure what else the machine does."""
    with open(folder / "stdout", "wb") as out, open(folder / "stderr", "wb") as err:
        process = subprocess.Popen(command, stdout=out, stderr=err, stdin=subprocess.DEVNULL,
                                   env={**ENVIRONMENT, "GITHUB_STEP_SUMMARY": str(folder / "summary")})
        deadline = time.monotonic() + PATIENCE_S
        while True:
            done, status, usage = os.wait4(process.pid, os.WNOHANG)
            if done:
                break
            if time.monotonic() > deadline:
                process.kill()
            time.sleep(0.001)
    process.returncode = os.waitstatus_to_exitcode(status)
    texts = [(folder / name).read_bytes().decode("utf-8", "surrogateescape") for name in ("stdout", "stderr")]
    return process.returncode, *texts, cpu_seconds(usage)


def problems_of(binary: pathlib.Path, document: bytes, folder: pathlib.Path) -> tuple[list[str], float, bool]:
    """What goes wrong with a document, the longest of its commands in seconds beside its size, whether it was shown."""
    path = folder / "document.json"
    path.write_bytes(document)
    files = {name: folder / f"out.{name}" for name in destinations.WRITERS}
    for file in (*files.values(), folder / "summary"):
        file.unlink(missing_ok=True)
    options = [word for name, file in files.items() for word in (f"--{name}", str(file))]
    status, out, err, took = run([binary, "report", path, *options, "--verbose", "--github"], folder)
    problems = [f"{name}: {found}" for name, found in
                [*(("table", found) for found in destinations.terminal(out)),
                 *(("stderr", found) for found in destinations.annotations(err))]]
    if status not in (0, 2):
        problems.append(f"report ends with {status}: {err[-200:]}")
    if status == 2 and len(err.splitlines()) != 1:
        problems.append(f"a refusal of {len(err.splitlines())} lines")
    for name, file in files.items():
        if status == 0 and not file.exists():
            problems.append(f"{name}: nothing was written")
        if file.exists():
            problems += [f"{name}: {found}" for found in destinations.WRITERS[name](file.read_bytes().decode("utf-8"))]
    if (folder / "summary").exists():
        problems += [f"summary: {found}" for found in destinations.markdown((folder / "summary").read_text(encoding="utf-8"))]
    times = [took]
    for name in destinations.EXPORTS if status == 0 else ():
        ended, text, said, took = run([binary, "report", path, "--export", name], folder)
        times.append(took)
        problems += [f"{name}: {found}" for found in [*destinations.shell(text), *destinations.terminal(said)]]
        if ended not in (0, 2):
            problems.append(f"--export {name} ends with {ended}: {said[-200:]}")
    return problems, max(times) - len(document) / BYTES_OF_A_SECOND, status == 0


def check(binary: pathlib.Path, share: int, shares: int, count: int) -> tuple[list[str], float, int]:
    found, longest, shown = [], 0.0, 0
    with tempfile.TemporaryDirectory() as name:
        for number, document in mutations.documents(ROOT, range(share, count, shares)):
            problems, took, read = problems_of(binary, document, pathlib.Path(name))
            found += [f"document {number}: {problem}" for problem in problems]
            longest, shown = max(longest, took), shown + read
    return found, longest, shown


def mutated(ringside: Ringside, record: Record) -> Iterator[Number]:
    count, shares = record.options.count, max(1, len(os.sched_getaffinity(0)))
    with concurrent.futures.ProcessPoolExecutor(shares) as pool:
        parts = list(pool.map(check, [ringside.binary] * shares, range(shares), [shares] * shares, [count] * shares))
    found = [problem for problems, _, _ in parts for problem in problems]
    for problem in found[:20]:
        print(f"  {problem}")
    shown = sum(read for _, _, read in parts)
    yield Number("mutated documents", "at least", 15000, count, "documents", f"{shown} were read and shown, the others refused")
    yield Number("what gets through or crashes", "at most", 0, len(found), "problems",
                 f"{len(destinations.WRITERS)} formats, the terminal, GitHub and {len(destinations.EXPORTS)} exports, each by a "
                 "parser of its destination")
    yield Number("the longest of a document's commands beside its size", "at most", LONGEST_S,
                 max(longest for _, longest, _ in parts), "s", "CPU time")


PARTS = {"mutated": mutated}
ON_DEMAND: list[str] = []
