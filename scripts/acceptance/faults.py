"""Random kills, stops, hang-ups and signals over all phases of all commands that start something: what is left, and lost."""

import collections
import concurrent.futures
import dataclasses
import fcntl
import json
import os
import pathlib
import pty
import random
import signal
import subprocess
import tempfile
import termios
import time
from typing import Callable, Iterator

from .support.family import Family
from .support.number import Number
from .support.record import Record
from .support.ringside import Ringside, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
STAND_IN = ROOT / "tests" / "data" / "sglang_stand_in"
GONE_WITHIN_S = 2
LONGEST_S = 120  # of a command with a fault: time-outs of several turns, on a busy machine
STOPPED_S = 0.7  # of a command that is stopped and continued
HANGS_S = 15  # of a live server of which a process was stopped: nothing ends that but the user
SHOWN = 4  # of the faults that missed, in a line
EARLY = {signal.SIGTERM, signal.SIGINT, signal.SIGHUP}  # end a command that is not measuring yet as they end any
TURN_TIMEOUT_S = 5


def declare(parser) -> None:
    parser.add_argument("--faults", type=int, metavar="N", help="how many (default: 300, with --gpus 40)")
    parser.add_argument("--seed", type=int, default=1, help="draws commands, moments, victims and faults (default: 1)")
    parser.add_argument("--jobs", type=int, default=2, help="how many commands at a time on the host (default: 2)")
    parser.add_argument("--gpus", action="store_true", help="on two GPUs")


@dataclasses.dataclass(frozen=True)
class Command:
    """`arguments`: of ringside, {0} is the folder of the trial. `checkpoints`: its JSON is written while it runs."""
    name: str
    arguments: tuple
    checkpoints: bool = False
    waits_for_ever: bool = False  # for a child that is stopped
    other_statuses: tuple = ()  # that its Document does not tell of


def sweep(gpus: bool, *more: str) -> tuple:
    strategies = "nccl-auto,custom-push" if gpus else "ring,tree"
    return ("--device", "cuda" if gpus else "host", "--ranks", "2", "--strategy", strategies, "--sizes", "4K,16K,64K",
            "--mode", "eager", "--rounds", "5", "--min-rounds", "5", "--budget", "20", "--timeout", str(TURN_TIMEOUT_S), *more)


def commands(binary: pathlib.Path, gpus: bool) -> list[Command]:
    server = ("--", "/usr/bin/python3", "-m", "sglang.launch_server", "--tp", "2")
    spec = ("kimi-k2.5-eagle3", "--device", "cuda" if gpus else "host", "--ranks", "2", "--strategy",
            "custom-push" if gpus else "ring", "--set", "speculation.batch=1", "--mode", "eager", "--launches", "1", "--budget", "2",
            "--timeout", str(TURN_TIMEOUT_S))
    found = [
        Command("probe-comm", ("probe-comm", *sweep(gpus, "--launches", "3")), checkpoints=True),
        Command("run-spec", ("run-spec", *spec), checkpoints=True),
        Command("probe-comm --against", ("probe-comm", *sweep(gpus, "--launches", "2", "--fail-on", "none"), "--against",
                                         str(binary))),
        Command("compare --confirm", ("compare", "{0}/base.json", "{0}/slower.json", "--confirm", "--fail-on", "none")),
        Command("probe-comm --calibrate", ("probe-comm", *sweep(gpus, "--launches", "3", "--calibrate")), checkpoints=True,
                other_statuses=(3,)),
        Command("trace-init --live, dies", ("trace-init", "--live", *server), waits_for_ever=True),
        Command("trace-init --live, no death", ("trace-init", "--live", *server, "--hook"), waits_for_ever=True),
    ]
    if gpus:
        found.append(Command("probe-comm --tune", ("probe-comm", *sweep(True, "--launches", "1")[6:], "--tune"), checkpoints=True,
                             other_statuses=(3,)))
    return found


@dataclasses.dataclass
class Result:
    """What became of one fault; empty texts: nothing to say."""
    what: str
    fault: str = ""
    orphans: str = ""
    lost: str = ""
    status: str = ""
    left: str = ""


class Trial:
    """A command in a folder of its own, with its own place for temporary files and for what it stores."""

    def __init__(self, binary: pathlib.Path, command: Command, folder: pathlib.Path, templates: dict, on_terminal: bool):
        self.command = command
        self.folder = folder
        self.json = folder / "out" / "result.json"
        for name in ("tmp", "out", "home"):
            (folder / name).mkdir()
        for name, text in templates.items():
            (folder / name).write_text(text, encoding="utf-8")
        mark = ("RINGSIDE_FAULT", folder.name)
        self.family = Family("=".join(mark))
        environment = {"PATH": os.environ["PATH"], "HOME": str(folder / "home"), "TMPDIR": str(folder / "tmp"),
                       "PYTHONPATH": str(STAND_IN), "PYTHONDONTWRITEBYTECODE": "1", "LANG": "C.UTF-8", "TERM": "xterm",
                       mark[0]: mark[1]}
        for name in ("CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH", "NCCL_NVLS_ENABLE"):
            if name in os.environ:
                environment[name] = os.environ[name]
        words = [word.format(folder) for word in command.arguments]
        place = words.index("--") if "--" in words else len(words)
        words[place:place] = ["--json", str(self.json), "--csv", str(folder / "out" / "result.csv")]
        self.terminal = None
        self.log = open(folder / "log.txt", "wb")
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": self.log}
        if on_terminal:
            self.terminal, other = pty.openpty()
            streams = {name: other for name in streams}
        self.process = subprocess.Popen([binary, *words], env=environment, cwd=folder, start_new_session=True,
                                        preexec_fn=self._take_terminal if on_terminal else _default_signals, **streams)
        if on_terminal:
            os.close(other)
        self.shown: dict[str, int] = {}

    @staticmethod
    def _take_terminal() -> None:
        _default_signals()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def document(self) -> dict | None:
        """What the file holds now. Raises ValueError when that is no whole Document."""
        if not self.json.exists():
            return None
        return json.loads(self.json.read_text(encoding="utf-8"))

    def look(self) -> None:
        """Notes what is shown as finished: launches of each row."""
        if not self.command.checkpoints:
            return
        for row, launches in launches_of(self.document() or {}).items():
            self.shown[row] = max(launches, self.shown.get(row, 0))

    def wait(self, seconds: float) -> bool:
        """Whether it ends in this time; what it prints on a terminal is read meanwhile."""
        deadline = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < deadline:
            if self.terminal is not None:
                os.set_blocking(self.terminal, False)
                try:
                    os.read(self.terminal, 65536)
                except OSError:
                    pass
            time.sleep(0.005)
        return self.process.poll() is not None

    def hang_up(self) -> None:
        if self.terminal is not None:
            os.close(self.terminal)
        self.terminal = None

    def end(self) -> None:
        self.hang_up()
        self.process.kill()
        self.process.wait()
        self.family.end()
        self.log.close()


def _default_signals() -> None:
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)


def launches_of(document: dict) -> dict[str, int]:
    return {json.dumps(row["params"], sort_keys=True): len(row["launches"]) for row in document.get("rows", [])
            if row["launches"]}


class Statuses:
    """What a Document says that its command ends with."""

    def __init__(self, binary: pathlib.Path):
        kinds = json.loads(run([binary, "list", "findings", "--json", "-"]).stdout)["findings"]
        self._of_kind = {kind["name"]: int(kind["exit_status"]) for kind in kinds}

    def of(self, document: dict) -> int:
        if not document["complete"] and any(finding["kind"] == "interrupted" for finding in document["findings"]):
            return 130
        judged = {6, 7}  # --fail-on none
        statuses = {self._of_kind.get(finding["kind"], 0) for finding in document["findings"]} - {0} - judged
        return min(statuses, default=0)


@dataclasses.dataclass(frozen=True)
class Fault:
    name: str
    of_command: bool  # else of one of its processes
    signals: tuple = ()
    continued: bool = False  # stopped for a while
    hang_up: bool = False


FAULTS = [
    Fault("SIGKILL", True, (signal.SIGKILL,)),
    Fault("SIGTERM", True, (signal.SIGTERM,)),
    Fault("SIGINT", True, (signal.SIGINT,)),
    Fault("SIGHUP", True, (signal.SIGHUP,)),
    Fault("SIGINT twice", True, (signal.SIGINT, signal.SIGINT)),
    Fault("SIGTERM and SIGINT", True, (signal.SIGTERM, signal.SIGINT)),
    Fault("a terminal that goes", True, hang_up=True),
    Fault("SIGSTOP and SIGCONT", True, continued=True),
    Fault("SIGKILL", False, (signal.SIGKILL,)),
    Fault("SIGTERM", False, (signal.SIGTERM,)),
    Fault("SIGINT", False, (signal.SIGINT,)),
    Fault("SIGHUP", False, (signal.SIGHUP,)),
    Fault("SIGSTOP", False, (signal.SIGSTOP,)),
]


def send(pid: int, number: int) -> bool:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    return True


def strike(trial: Trial, fault: Fault, draw: random.Random) -> str | None:
    """Makes the fault happen; who was its victim, None when there was none."""
    command = trial.process.pid
    if fault.hang_up:
        trial.hang_up()
        return "the command"
    if fault.of_command and fault.continued:
        send(command, signal.SIGSTOP)
        time.sleep(STOPPED_S)
        send(command, signal.SIGCONT)
        return "the command"
    others = {pid: words for pid, words in trial.family.running().items() if pid != command}
    victim = command if fault.of_command else draw.choice(sorted(others)) if others else None
    if victim is None:
        return None
    for number in fault.signals:
        if not send(victim, number):
            return None
        time.sleep(0.02 if len(fault.signals) > 1 else 0)
    return "the command" if fault.of_command else others[victim][:90]


def allowed_statuses(fault: Fault, measuring: bool) -> set[int]:
    """Beside the one that the Document tells of. `measuring`: there were finished rows."""
    if not fault.of_command:
        return set()
    signals = {signal.SIGHUP} if fault.hang_up else set(fault.signals)
    statuses = {-number for number in signals if number == signal.SIGKILL or number in EARLY and not measuring}
    return statuses | ({130} if len(fault.signals) > 1 else set())  # at once: the file is as it was


def judge(trial: Trial, fault: Fault, statuses: Statuses, result: Result) -> None:
    time_left = time.monotonic() + GONE_WITHIN_S
    while (running := trial.family.running()) and time.monotonic() < time_left:
        time.sleep(0.02)
    result.orphans = ", ".join(running.values())[:200]
    status = trial.process.returncode
    at_once = status in allowed_statuses(fault, bool(trial.shown))
    try:
        document = trial.document()
    except ValueError as problem:
        result.lost = f"the JSON is not whole: {problem}"
        return
    if document is None:
        if not at_once:
            result.status = f"status {status} without a Document"
    elif not at_once or status == 130 and document["complete"]:
        told = statuses.of(document)
        if status != told and status not in trial.command.other_statuses and not (fault.hang_up and status == 3):
            result.status = f"status {status}, the Document tells of {told}"
    kept = launches_of(document or {})
    result.lost = "; ".join(f"{row}: {kept.get(row, 0)} of {launches} launches" for row, launches in trial.shown.items()
                            if kept.get(row, 0) < launches)[:200]
    expected = {"result.json", "result.csv"}
    left = [str(path) for path in (trial.folder / "tmp").iterdir()]
    left += [path.name for path in (trial.folder / "out").iterdir() if path.name not in expected]
    left += [str(path) for path in (trial.folder / "home").rglob("*") if path.is_file() and path.suffix != ".toml"]
    result.left = ", ".join(left)[:200]


def one_fault(binary: pathlib.Path, command: Command, fault: Fault, after: float, templates: dict, statuses: Statuses,
              draw: random.Random) -> Result | None:
    """None: the command had ended before."""
    with tempfile.TemporaryDirectory(prefix="ringside-fault-") as folder:
        trial = Trial(binary, command, pathlib.Path(folder), templates, on_terminal=fault.hang_up)
        try:
            if trial.wait(after):
                return None
            trial.look()
            victim = strike(trial, fault, draw)
            if victim is None:
                return None
            result = Result(f"{command.name}, {fault.name} of {victim} after {after:.2f} s",
                            f"{fault.name} of {'the command' if fault.of_command else 'a process of it'}")
            # A live server has no time-out: who watches it ends it.
            if command.waits_for_ever and not trial.wait(HANGS_S):
                trial.process.send_signal(signal.SIGINT)
            if trial.wait(LONGEST_S):
                judge(trial, fault, statuses, result)
            else:
                result.status = f"it did not end in {LONGEST_S} s"
            return result
        finally:
            trial.end()


def drawn_fault(binary: pathlib.Path, command: Command, duration: float, templates: dict, statuses: Statuses,
                seed: str) -> Result:
    """Draws until the command is still there to be hit."""
    draw = random.Random(seed)
    while True:
        fault = draw.choice(FAULTS)
        result = one_fault(binary, command, fault, draw.uniform(0, duration), templates, statuses, draw)
        if result is not None:
            return result


def templates_for(binary: pathlib.Path, gpus: bool) -> dict[str, str]:
    """A result of this build and one with the same launches, twice as slow: for compare --confirm."""
    made = json.loads(run([binary, "probe-comm", *sweep(gpus, "--launches", "3"), "--quiet", "--json", "-"]).stdout)
    base = json.dumps(made)
    for row in made["rows"]:
        for launch in row["launches"]:
            launch["samples_ns"] = [3 * sample for sample in launch["samples_ns"]]
    return {"base.json": base, "slower.json": json.dumps(made)}


def duration_of(binary: pathlib.Path, command: Command, templates: dict) -> float:
    with tempfile.TemporaryDirectory(prefix="ringside-fault-") as folder:
        begun = time.monotonic()
        trial = Trial(binary, command, pathlib.Path(folder), templates, on_terminal=False)
        try:
            trial.wait(LONGEST_S)
            return time.monotonic() - begun
        finally:
            trial.end()


def shown(results: list[Result], text: Callable[[Result], str]) -> str:
    bad = [f"{result.what}: {text(result)}" for result in results if text(result)]
    return "; ".join(bad[:SHOWN]) + (f"; and {len(bad) - SHOWN} more" if len(bad) > SHOWN else "")


def faults(ringside: Ringside, record: Record) -> Iterator[Number]:
    options = record.options
    wanted = options.faults or (40 if options.gpus else 300)
    binary = ringside.binary
    statuses = Statuses(binary)
    templates = templates_for(binary, options.gpus)
    kinds = commands(binary, options.gpus)
    durations = {command.name: duration_of(binary, command, templates) for command in kinds}
    results: list[Result] = []
    with concurrent.futures.ProcessPoolExecutor(1 if options.gpus else options.jobs) as pool:
        drawn = [pool.submit(drawn_fault, binary, kinds[index % len(kinds)], durations[kinds[index % len(kinds)].name],
                             templates, statuses, f"{options.seed} {index}") for index in range(wanted)]
        for index, future in enumerate(drawn):
            results.append(future.result())
            for problem in (results[-1].orphans, results[-1].lost, results[-1].status, results[-1].left):
                if problem:
                    print(f"      {index}: {results[-1].what}: {problem}", flush=True)
    made = collections.Counter(result.fault for result in results)
    where = "2 GPUs" if options.gpus else "the host"
    yield Number(f"faults on {where}, seed {options.seed}", "at least", wanted, len(results), "faults",
                 ", ".join(f"{count} x {name}" for name, count in sorted(made.items())))
    for name, text in (("processes that are there 2 s later", lambda result: result.orphans),
                       ("finished rows that are lost", lambda result: result.lost),
                       ("wrong statuses", lambda result: result.status),
                       ("files left in the folder for temporary ones or beside outputs", lambda result: result.left)):
        count = sum(bool(text(result)) for result in results)
        yield Number(f"{name}, {where}", "at most", 0, count, "faults", shown(results, text))


PARTS = {"faults": faults}
ON_DEMAND = []
