"""Questions to `ringside run-spec`, by its command line."""

import concurrent.futures
import functools
import json
import pathlib
import subprocess
import tempfile
from typing import Sequence

from ..support.ringside import Ringside
from . import models
from .rows import Row

WORKERS = 2
FITTED = {"rtx_pro_6000": "rtx_pro_6000_server"}  # the nearest type with fitted times
# Types of GPU that nothing is fitted for: GB/s of their memory by the data sheet; a machine file says four fifths of it.
UNFITTED = {"h20": 4000, "rtx_4090": 1008, "a100_40": 1555, "cmp_170hx": 1555}
MACHINE = """title = "{title}"
ranks = 2
origin = "assumed"
source = "a data sheet"
[link]
name = "PCIe"
one_way_latency_ns = 1500
bandwidth_gbps = 20
alone_gbps = 20
[overhead]
call_ns = 1000
launch_ns = 3000
step_ns = 3000
[memory]
local_bandwidth_gbps = {read}
read_gbps = {read}
gib = 40
"""


class Asking:
    """Runs each question once; remembers what it was answered."""

    def __init__(self, ringside: Ringside):
        self._binary = ringside.binary
        self._files = tempfile.TemporaryDirectory()  # as long as this lives
        self.folder = pathlib.Path(self._files.name)
        self._answers: dict[tuple[str, ...], dict | str] = {}

    def config(self, name: str, content: dict | None = None) -> str:
        path = self.folder / name / "config.json"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(models.CONFIGS[name] if content is None else content), encoding="utf-8")
        return str(path)

    def machine(self, gpu: str) -> list[str]:
        if gpu not in UNFITTED:
            return ["--gpu", FITTED.get(gpu, gpu)]
        path = self.folder / f"{gpu}.toml"
        path.write_text(MACHINE.format(title=gpu, read=0.8 * UNFITTED[gpu]), encoding="utf-8")
        return ["--machine", str(path)]

    def all(self, questions: Sequence[tuple[str, ...]]) -> None:
        """Asks what was not asked before, two at a time."""
        left = list(dict.fromkeys(q for q in questions if q not in self._answers))
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            self._answers.update(zip(left, pool.map(self._run, left)))

    def estimate(self, question: tuple[str, ...]) -> dict | None:
        """What document.spec.estimate says; none where it failed (`problem` says why)."""
        if question not in self._answers:
            self.all([question])
        answer = self._answers[question]
        return answer if isinstance(answer, dict) else None

    def problem(self, question: tuple[str, ...]) -> str:
        answer = self._answers.get(question)
        return answer if isinstance(answer, str) else ""

    def problems(self) -> list[str]:
        return sorted({answer for answer in self._answers.values() if isinstance(answer, str)})

    def _run(self, question: tuple[str, ...]) -> dict | str:
        result = subprocess.run([self._binary, "run-spec", "--device", "model", "--quiet", "--json", "-", *question],
                                capture_output=True, text=True, check=False)
        if not result.stdout:
            return (result.stderr.strip().splitlines() or [f"exit {result.returncode}"])[-1]
        estimate = json.loads(result.stdout)["spec"].get("estimate")
        return estimate if estimate else "no estimate in the answer"


@functools.lru_cache(maxsize=None)
def shared(ringside: Ringside) -> Asking:
    """The same for all parts of a run, so that none asks twice."""
    return Asking(ringside)


def server(asked: Asking, row: Row) -> tuple[str, ...]:
    arguments = ["--from-config", asked.config(row.model), *asked.machine(row.gpu), "--tp", str(row.gpus), "--server",
                 row.server, "--set", f"speculation.algorithm={row.method}"]
    if row.tree:
        for key, value in (("steps", row.steps), ("top_k", row.top_k), ("draft_tokens", row.candidates)):
            arguments += ["--set", f"speculation.{key}={value}"]
    else:
        arguments += ["--drafts", str(row.steps)]
    return tuple(arguments)


def plain(row: Row) -> tuple[str, ...]:
    return "--observe", f"batch={row.batch},tokens_s={row.plain},context={row.context}"


def speculative(row: Row) -> tuple[str, ...]:
    tree = f"top_k={row.top_k},candidates={row.candidates}," if row.tree else ""
    return ("--observe", f"batch={row.batch},drafts={row.steps},{tree}tokens_s={row.speculative},length={row.acceptance},"
            f"context={row.context}")


def question(asked: Asking, row: Row, *observed: tuple[str, ...], known: bool = True) -> tuple[str, ...]:
    """About the row's point: with its acceptance, where it is to be known, and what was observed elsewhere."""
    point = ("--batch", str(row.batch), "--context", str(row.context))
    acceptance = ("--acceptance", row.acceptance) if known else ()
    return (*server(asked, row), *point, *acceptance, *(word for words in observed for word in words))
