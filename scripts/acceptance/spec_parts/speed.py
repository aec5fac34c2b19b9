"""How long answers take, and whether they come out the same again."""

import json
import subprocess
import time
from typing import Iterator

from ..support.number import Number
from ..support.record import Record
from ..support.ringside import Ringside
from .question import Asking, shared

TURNS = 21
OBSERVED = tuple(word for text in ("batch=1,tokens_s=141.4,context=512", "batch=1,drafts=3,tokens_s=244.5,length=2.79,context=512")
                 for word in ("--observe", text))
TABLES = {"a verdict": (30, ("--batch", "1", "--context", "512", "--drafts", "4", "--acceptance", "3.08")),
          "a table of drafts and batches": (60, ("--batch", "1:64:x2", "--context", "1K", "--acceptance", "3.08")),
          "a table of batches and contexts": (1000, ("--batch", "1:256:x2", "--context", "1K:128K:x2", "--acceptance", "3.08"))}


def words(asking: Asking, question: tuple[str, ...]) -> tuple[str, ...]:
    return ("--from-config", asking.config("llama-3.1-8b"), "--gpu", "h100_sxm", "--tp", "1", "--server", "vllm@2025-07", "--set",
            "speculation.algorithm=EAGLE3", *OBSERVED, *question)


def median_ms(ringside: Ringside, arguments: tuple[str, ...]) -> float:
    times = []
    for _ in range(TURNS):
        start = time.perf_counter()
        done = subprocess.run([ringside.binary, "run-spec", "--device", "model", *arguments], capture_output=True, check=False)
        times.append((time.perf_counter() - start) * 1e3)
        if done.returncode:
            return float("inf")
    return sorted(times)[TURNS // 2]


def answer_times(ringside: Ringside, _record: Record) -> Iterator[Number]:
    for name, (limit, question) in TABLES.items():
        yield Number(f"time of {name}", "below", limit, median_ms(ringside, words(shared(ringside), question)), "ms",
                     f"median of {TURNS}, starting the process included")


def again(ringside: Ringside, _record: Record) -> Iterator[Number]:
    """The same question twice, in another order of what was observed too."""
    question = words(shared(ringside), TABLES["a verdict"][1])
    start = question.index("--observe")
    swapped = question[:start] + question[start + 2:start + 4] + question[start:start + 2] + question[start + 4:]
    estimates = []
    for arguments in (question, question, swapped):
        done = subprocess.run([ringside.binary, "run-spec", "--device", "model", "--quiet", "--json", "-", *arguments],
                              capture_output=True, text=True, check=False)
        estimates.append((json.loads(done.stdout)["spec"].get("estimate") if done.stdout else None) or {})
    same = bool(estimates[0].get("speedup")) and estimates[0] == estimates[1]
    yield Number("the same answer to the same question", "at least", 1, int(same), "", f"seed {estimates[0].get('seed')}")
    wide = max((abs(estimates[2].get("speedup", {}).get(key, 0) / value - 1)
                for key, value in (estimates[0].get("speedup") or {"median": 1}).items()), default=1.0)
    yield Number("another order of observations moves the speed-up by", "at most", 1, 100 * wide, "%")


PARTS = {"answer-times": answer_times, "again": again}
