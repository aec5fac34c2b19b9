"""Whether this build shows recorded results as another build does: every result of docs/results in every format."""

import argparse
import concurrent.futures
import dataclasses
import datetime
import difflib
import fcntl
import hashlib
import itertools
import json
import os
import pathlib
import pty
import re
import struct
import subprocess
import tempfile
import termios
from typing import Callable, Iterator

from .support.number import Number
from .support.record import Record
from .support.ringside import Ringside, Unusable, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "docs" / "results"
FORMATS = ("md", "html", "csv", "json", "junit", "gab", "bmf", "chrome")
WIDTHS = (60, 80, 140)
SHOWN_DIFFERENCES = 3  # of a group
SHOWN_LINES = 12  # of a difference
TIMEOUT_S = 120


@dataclasses.dataclass(frozen=True)
class Case:
    """One command line; `width`: its stdout is a terminal of so many columns."""
    arguments: tuple
    width: int | None = None

    def name(self) -> str:
        shown = [os.path.relpath(word, ROOT) if str(word).startswith(str(ROOT)) else str(word) for word in self.arguments]
        return " ".join(shown) + (f"  ({self.width} columns)" if self.width else "")


@dataclasses.dataclass(frozen=True)
class Output:
    status: int
    stdout: str
    stderr: str
    summary: str  # what was written for a job of GitHub Actions

    def text(self) -> str:
        return f"status {self.status}\n{self.stdout}\n--- stderr\n{self.stderr}\n--- summary\n{self.summary}"


class Normal:
    """Takes out of a text what differs between two builds or two moments."""

    def __init__(self, versions: list[str]):
        commits = {found[1] for version in versions if (found := re.search(r"\(([0-9a-f]{7,}(?:-dirty)?|unknown)\)", version))}
        today = datetime.datetime.now(datetime.timezone.utc).date()
        days = "|".join(str(today + datetime.timedelta(days=d)) for d in (-1, 0, 1))
        self._rules = [(re.compile(rf"({days})T\d\d:\d\d:\d\d(\.\d+)?Z"), "<now>"),
                       (re.compile(r"nonce(-|=\")[0-9a-f]{16}"), r"nonce\1<nonce>"),
                       (re.compile(r"\d+(\.\d+)? ?[KMG]i?B (available|free)"), "<free>"),
                       (re.compile(r'("memory_available",?"?|memory_available\W{1,12}(value=")?)[^"<,]*'), r"\1<free>")]
        if commits:
            self._rules.append((re.compile("|".join(map(re.escape, sorted(commits, reverse=True)))), "<commit>"))

    def __call__(self, text: str) -> str:
        for pattern, place in self._rules:
            text = pattern.sub(place, text)
        return text


def environment(home: pathlib.Path, summary: pathlib.Path) -> dict[str, str]:
    """Nothing of a user's settings or earlier calibrations."""
    return {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "TERM": "xterm",
            "GITHUB_STEP_SUMMARY": str(summary)}


def terminal(width: int) -> tuple[int, int]:
    """A terminal that changes nothing of what is written to it: (its other end, the terminal)."""
    reader, writer = pty.openpty()
    attributes = termios.tcgetattr(writer)
    attributes[1] &= ~termios.OPOST
    termios.tcsetattr(writer, termios.TCSANOW, attributes)
    fcntl.ioctl(writer, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    return reader, writer


def drained(reader: int) -> bytes:
    parts = []
    try:
        while part := os.read(reader, 65536):
            parts.append(part)
    except OSError:  # the terminal's last holder is gone
        pass
    os.close(reader)
    return b"".join(parts)


def output_of(binary: pathlib.Path, case: Case) -> Output:
    with tempfile.TemporaryDirectory() as folder:
        summary = pathlib.Path(folder, "summary.md")
        options = {"cwd": ROOT, "stdin": subprocess.DEVNULL, "stderr": subprocess.PIPE,
                   "env": environment(pathlib.Path(folder), summary)}
        # The same name for both: results record the words of their command.
        options |= {"executable": binary}
        command = ["ringside", *map(str, case.arguments)]
        if case.width is None:
            result = subprocess.run(command, stdout=subprocess.PIPE, timeout=TIMEOUT_S, check=False, **options)
            status, stdout, stderr = result.returncode, result.stdout, result.stderr
        else:
            reader, writer = terminal(case.width)
            with subprocess.Popen(command, stdout=writer, **options) as process:
                os.close(writer)
                stdout, stderr = drained(reader), process.stderr.read()
            status = process.returncode
        written = summary.read_text(encoding="utf-8", errors="replace") if summary.exists() else ""
    return Output(status, stdout.decode(errors="replace"), stderr.decode(errors="replace"), written)


def documents() -> list[pathlib.Path]:
    """The recorded results among the files of docs/results."""
    return [path for path in sorted(RESULTS.rglob("*.json")) if '"ringside.document"' in path.read_text(encoding="utf-8")[:4096]]


def gates() -> list[list[pathlib.Path]]:
    folders = sorted({path.parent for path in RESULTS.glob("*/gate*/*.json")})
    return [sorted(folder.glob("*.json")) for folder in folders]


def in_every_format(arguments: list, plots: bool = True) -> Iterator[Case]:
    """The table, wide and narrow, in colour and with curves where the command has them, then every other format."""
    more: list[list[str]] = [[], ["--verbose"], ["--color", "always"], ["--github"], ["--md", "-", "--verbose"]]
    more += [["--plot"], ["--plot", "--verbose"]] if plots else []
    more += [[f"--{name}", "-"] for name in FORMATS]
    for options in more:
        yield Case((*arguments, *options))
    for width in WIDTHS:
        yield Case(tuple(arguments), width)


class Comparison:
    """The outputs of this build beside those of the base."""

    def __init__(self, ringside: Ringside, record: Record):
        base = record.options.base
        if base is None:
            raise Unusable("outputs are compared with those of another build: --base BINARY")
        self.binary, self.base = ringside.binary, base.resolve()
        digest = hashlib.sha256(self.base.read_bytes()).hexdigest()[:16]
        self.keep = record.options.keep / digest if record.options.keep else None
        if self.keep:
            self.keep.mkdir(parents=True, exist_ok=True)
        version = run([self.base, "--version"]).stdout.splitlines()[0]
        record.note_version("base", version)
        self._normal = Normal([ringside.version(), version])

    def made(self, folder: pathlib.Path, *arguments: object) -> pathlib.Path:
        """A result of the base, for both to show."""
        path = folder / ("-".join(re.sub(r"\W+", "-", str(word)) for word in arguments)[-80:] + ".json")
        if path.exists():
            return path  # kept
        subprocess.run(["ringside", *map(str, arguments), "--json", path], executable=self.base, cwd=ROOT, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, env=environment(folder, folder / "summary.md"), check=False)
        if not path.exists():
            raise Unusable(f"the base made no result of '{' '.join(map(str, arguments))}'")
        return path

    def base_output(self, case: Case) -> Output:
        """Of an earlier run where it was kept."""
        if self.keep is None:
            return output_of(self.base, case)
        name = hashlib.sha256(case.name().encode()).hexdigest()[:32]
        kept = self.keep / f"output-{name}.json"
        if kept.exists():
            return Output(**json.loads(kept.read_text(encoding="utf-8")))
        output = output_of(self.base, case)
        kept.write_text(json.dumps(dataclasses.asdict(output)), encoding="utf-8")
        return output

    def number(self, group: str, cases: list[Case]) -> Number:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            pairs = list(pool.map(lambda case: (self.base_output(case), output_of(self.binary, case)), cases))
        different = []
        for case, (base, now) in zip(cases, pairs):
            before, after = self._normal(base.text()), self._normal(now.text())
            if before != after:
                different.append((case, before, after))
        for case, before, after in different[:SHOWN_DIFFERENCES]:
            print(f"differs: {case.name()}")
            lines = difflib.unified_diff(before.splitlines(), after.splitlines(), "base", "now", lineterm="", n=0)
            for line in itertools.islice(lines, SHOWN_LINES):
                print("  " + line[:200])
        return Number(f"outputs that differ, {group}", "at most", 0, len(different), "outputs", f"of {len(cases)}")


def names(comparison: Comparison, what: str) -> list[str]:
    listed = json.loads(run([comparison.base, "list", what, "--json", "-"]).stdout)
    return [item["name"] for item in listed[what]]


def report(comparison: Comparison, folder: pathlib.Path) -> list[Case]:
    spec = comparison.made(folder, "run-spec", "--device", "model", "--seed", "1")
    trace = comparison.made(folder, "trace-init", names(comparison, "traces")[0], "--what-if")
    compared = [comparison.made(folder, "compare", paths[0], paths[-1], "--no-confirm") for paths in gates()]
    exports = [Case(("report", path, "--export", form)) for path in documents()[-12:]
               for form in ("nccl-tuner", "env", "sglang", "vllm")]
    return exports + [case for path in [*documents(), spec, trace, *compared] for case in in_every_format(["report", path])]


def beside(comparison: Comparison, folder: pathlib.Path) -> list[Case]:
    spec = comparison.made(folder, "run-spec", "--device", "model", "--seed", "1")
    other = comparison.made(folder, "run-spec", names(comparison, "specs")[0], "--device", "model", "--seed", "1")
    traces = [comparison.made(folder, "trace-init", name, "--what-if") for name in names(comparison, "traces")[:2]]
    compared = comparison.made(folder, "compare", gates()[0][0], gates()[0][1], "--no-confirm")
    sweeps = documents()
    several = [list(pair) for pair in itertools.pairwise(sweeps)]
    several += [[sweeps[-1], spec], [spec, other], [spec, traces[0]], traces, [traces[0], sweeps[0]], [compared, sweeps[0]],
                [sweeps[0], spec, traces[1], compared], [sweeps[0], sweeps[0]]]
    return [case for paths in several for case in in_every_format(["report", *paths])]


def compare(_comparison: Comparison, _folder: pathlib.Path) -> list[Case]:
    pairs = [pair for paths in gates() for pair in itertools.pairwise(paths)]
    across = [paths[0] for paths in gates()]
    return ([case for base, now in pairs for case in in_every_format(["compare", base, now, "--no-confirm"], plots=False)] +
            [case for base, now in itertools.pairwise(across)
             for case in in_every_format(["compare", base, now, "--no-confirm", "--across-machines"], plots=False)])


def run_spec(comparison: Comparison, _folder: pathlib.Path) -> list[Case]:
    return [case for name in names(comparison, "specs") for case in in_every_format(["run-spec", name, "--device", "model", "--seed", "1"])]


def trace_init(comparison: Comparison, _folder: pathlib.Path) -> list[Case]:
    return [case for name in names(comparison, "traces") for more in ([], ["--what-if"], ["--expect", "pass"])
            for case in in_every_format(["trace-init", name, *more], plots=False)]


def group(name: str, cases_of: Callable[[Comparison, pathlib.Path], list[Case]]):
    def part(ringside: Ringside, record: Record) -> Iterator[Number]:
        comparison = Comparison(ringside, record)
        with tempfile.TemporaryDirectory() as folder:
            yield comparison.number(name, cases_of(comparison, comparison.keep or pathlib.Path(folder)))
    return part


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument("--base", type=pathlib.Path, metavar="BINARY", help="the ringside whose outputs are the right ones")
    command.add_argument("--keep", type=pathlib.Path, metavar="FOLDER", help="where the base's outputs are kept for the next run")


PARTS = {"report": group("report of each result", report), "beside": group("report of several results", beside),
         "compare": group("compare", compare), "run-spec": group("run-spec of a described machine", run_spec),
         "trace-init": group("trace-init of a described launch", trace_init)}
ON_DEMAND: list[str] = []
