"""A fair fight: budgets that are kept, and no winner from rounds in which something else had the cores."""

import contextlib
import json
import subprocess
import sys
import tempfile
import pathlib
import time
from typing import Iterator

from ..support.number import Number
from ..support.record import Record
from ..support.ringside import Ringside

BUDGETS_S = (1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 75, 90, 120)
SIZES = "2K:16M:x2"
TIE_SIZES = "2K,64K,1M"
TIE_STRATEGIES = ("ring", "tree", "custom", "symmetric")
FEWEST_ROUNDS = 6  # of a launch that a verdict counts
LAUNCHES = 3


@contextlib.contextmanager
def busy_processes(count: int) -> Iterator[None]:
    processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def beyond(budget_s: float, took_s: float) -> float:
    """By how much a budget was missed, as a share of what it may be missed by."""
    return (took_s - budget_s) / max(0.1 * budget_s, 3)


def budgets(ringside: Ringside, _record: Record) -> Iterator[Number]:
    for busy in (0, 4):
        worst, details, statuses, undecided_early = -1.0, "", set(), []
        with busy_processes(busy), tempfile.TemporaryDirectory() as folder:
            for budget in BUDGETS_S:
                result = pathlib.Path(folder, "result.json")
                result.unlink(missing_ok=True)
                begun = time.perf_counter()
                run = subprocess.run([ringside.binary, "probe-comm", "--quiet", "--device", "host", "--ranks", "2", "--sizes", SIZES,
                                      "--budget", str(budget), "--json", result], check=False, capture_output=True)
                took = time.perf_counter() - begun
                statuses.add(run.returncode)
                if beyond(budget, took) > worst:
                    worst, details = beyond(budget, took), f"{took:.1f} s of {budget:g} s"
                document = json.loads(result.read_text(encoding="utf-8"))
                undecided = any(finding["kind"] == "undecided" for finding in document["findings"])
                if undecided and document["method"]["stop_reason"] == "budget" and took < 0.8 * budget:
                    undecided_early.append(f"{took:.1f} s of {budget:g} s")
        where = f"beside {busy} busy processes" if busy else "idle"
        yield Number(f"{len(BUDGETS_S)} budgets from 1 to 120 s, {where}: the worst miss, of 10 % or 3 s", "at most", 1, worst,
                     "times", details)
        yield Number(f"budgets that end with another status than 0 and 3, {where}", "at most", 0, len(statuses - {0, 3}), "",
                     f"statuses {sorted(statuses)}")
        yield Number(f"budgets that end undecided before 80 % of their time, {where}", "at most", 0, len(undecided_early), "",
                     ", ".join(undecided_early))


def judged_by_undisturbed(document: dict, verdict: dict) -> bool:
    """Whether three launches of the rows behind a verdict have rounds enough that were left alone."""
    for row in document["rows"]:
        if row["params"]["bytes"] != verdict["bytes"]:
            continue
        clean = [len(launch["samples_ns"]) // launch["samples_per_round"] - len(launch["disturbed_rounds"])
                 for launch in row["launches"]]
        if sum(rounds >= FEWEST_ROUNDS for rounds in clean) < LAUNCHES:
            return False
    return True


def busy(ringside: Ringside, _record: Record) -> Iterator[Number]:
    for count in (4, 8):
        winners, contaminated, told, runs, rounds, disturbed = [], [], 0, 0, 0, 0
        with busy_processes(count):
            for strategy in TIE_STRATEGIES:
                document = ringside.probe("--device", "host", "--ranks", "2", "--strategy", f"{strategy},{strategy}",
                                          "--sizes", TIE_SIZES, "--budget", "30")
                runs += 1
                told += any(finding["kind"] == "machine-busy" for finding in document["findings"])
                launches = [launch for row in document["rows"] for launch in row["launches"]]
                rounds += sum(len(launch["samples_ns"]) // launch["samples_per_round"] for launch in launches)
                disturbed += sum(len(launch["disturbed_rounds"]) for launch in launches)
                for verdict in document["verdicts"]:
                    name = f"{strategy} {verdict['bytes']}"
                    if verdict["winner"]:
                        winners.append(name)
                    if (verdict["winner"] or verdict["tied"]) and not judged_by_undisturbed(document, verdict):
                        contaminated.append(name)
        where = f"beside {count} busy processes"
        yield Number(f"a strategy against itself {where}, wins", "at most", 0, len(winners), "", ", ".join(winners))
        yield Number(f"verdicts from disturbed rounds {where}", "at most", 0, len(contaminated), "", ", ".join(contaminated))
        yield Number(f"sweeps {where} that say so", "at least", runs, told, "sweeps", f"{disturbed} of {rounds} rounds disturbed")


PARTS = {"budgets": budgets, "busy": busy}
